import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canMount, mountSmallDisk } from '@tongtu/base/testing/small-disk';
import { certificatePin } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { loadSelfSignedCertificate, loadTunnelCertificate } from '../certificates.ts';
import { OperatorError } from '../operator-error.ts';
import { prepareDataDir, readOrCreatePrivateFile } from './data-dir.ts';
import { lockDataDir } from './lock-data-dir.ts';
import { openOneTimePassword } from './one-time-password.ts';
import { loadSecrets } from './secrets.ts';

const makeDir = () => mkdtemp(path.join(tmpdir(), 'tongtu-data-'));
const localhost = { baseDomain: 'localhost', wallClockMs: Date.now() };

test('a data folder is created with its parents, closed to other users', async () => {
  const dir = path.join(await makeDir(), 'a', 'b');
  await prepareDataDir(dir);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect(await readdir(dir)).toEqual([]);
});

test('a data folder below a file is refused, with advice', async () => {
  const file = path.join(await makeDir(), 'file');
  await writeFile(file, '');
  await expect(prepareDataDir(path.join(file, 'data'))).rejects.toThrow(/无法使用数据目录.*DATA_DIR/);
});

test('a data folder that cannot be created is refused', async () => {
  await expect(prepareDataDir('/proc/tongtu/data')).rejects.toThrow(/无法使用数据目录/);
});

test.runIf(canMount)('a full disk is named as the cause', async () => {
  using disk = mountSmallDisk({ megabytes: 1 });
  const dataDir = path.join(disk.dir, 'data');
  await prepareDataDir(dataDir);
  disk.fill();
  await expect(prepareDataDir(dataDir)).rejects.toThrow(/无法使用数据目录.*磁盘空间已满.*DATA_DIR/);
  await expect(lockDataDir(dataDir)).rejects.toThrow(/无法使用数据目录.*磁盘空间已满.*DATA_DIR/);
  expect(await readdir(dataDir)).toEqual([]);
});

test.runIf(canMount)('a read-only disk is named as the cause', async () => {
  using disk = mountSmallDisk({ megabytes: 1, options: ',ro' });
  await expect(prepareDataDir(path.join(disk.dir, 'data'))).rejects.toThrow(/无法使用数据目录.*磁盘是只读的/);
});

test('a second copy cannot use the data folder until the first has stopped', async () => {
  const dir = await makeDir();
  const first = await lockDataDir(dir);
  await expect(lockDataDir(dir)).rejects.toThrow(/正被另一个运行中的通途使用/);
  await first[Symbol.asyncDispose]();
  await (await lockDataDir(dir))[Symbol.asyncDispose]();
});

test('a one-time password stays the same until it has been shown', async () => {
  const dir = await makeDir();
  const password = await openOneTimePassword(dir).choose();
  expect(password).toMatch(/^([a-z0-9]{5}-){3}[a-z0-9]{5}$/);
  expect(await openOneTimePassword(dir).choose()).toBe(password);
  expect(await openOneTimePassword(dir).read()).toBe(password);
  await openOneTimePassword(dir).forget();
  expect(await openOneTimePassword(dir).read()).toBeUndefined();
});

test('processes that create the same private file at once agree on its content', async () => {
  const dir = await makeDir();
  const file = path.join(dir, 'secret');
  const read = await Promise.all(['a', 'b', 'c', 'd'].map((text) => readOrCreatePrivateFile(file, async () => text)));
  expect(new Set(read).size).toBe(1);
  expect(await readdir(dir)).toEqual(['secret']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('secrets are generated once and stay the same', async () => {
  const dir = await makeDir();
  expect(await loadSecrets(dir)).toEqual(await loadSecrets(dir));
});

test('a damaged secrets file stops the start and is left as it is', async () => {
  const dir = await makeDir();
  await writeFile(path.join(dir, 'secrets.json'), '{"sealingKey":"short"}');
  await expect(loadSecrets(dir)).rejects.toThrow(OperatorError);
  expect(await readFile(path.join(dir, 'secrets.json'), 'utf8')).toBe('{"sealingKey":"short"}');
});

test('the tunnel certificate, and so the pin of every agent, survives a restart', async () => {
  const dir = await makeDir();
  const pinOfStart = async () => certificatePin(new X509Certificate((await loadTunnelCertificate(dir)).cert));
  const pin = await pinOfStart();
  expect(pin).toMatch(/^[\w-]{43}$/);
  expect(await pinOfStart()).toBe(pin);
});

test('the self-signed certificate covers the domain and its mappings, and is replaced for another domain or near its expiry', async () => {
  const dir = await makeDir();
  const first = (await loadSelfSignedCertificate(dir, localhost)).cert;
  expect((await loadSelfSignedCertificate(dir, localhost)).cert).toBe(first);

  const second = (await loadSelfSignedCertificate(dir, { ...localhost, baseDomain: 'example.com' })).cert;
  const shown = new X509Certificate(second);
  expect(shown.checkHost('nas.example.com')).toBe('*.example.com');
  expect(shown.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(shown.subject).toContain('self-signed');

  const inAYear = { ...localhost, baseDomain: 'example.com', wallClockMs: Date.now() + 380 * 86_400_000 };
  expect((await loadSelfSignedCertificate(dir, inAYear)).cert).not.toBe(second);
});

test.skipIf(process.getuid?.() === 0)('a folder without write permission is refused', async () => {
  const dir = await makeDir();
  await chmod(dir, 0o500);
  await expect(prepareDataDir(dir)).rejects.toThrow('没有写入权限');
});
