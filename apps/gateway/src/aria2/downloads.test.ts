import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../files/testing/self-signed.ts';
import { type Aria2, aria2Program, startAria2 } from '../testing/start-aria2.ts';
import { makeTorrent } from '../testing/make-torrent.ts';
import { type FileService, startFileService } from '../testing/start-file-service.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { type DownloadsPage, openDownloadsPage } from './testing/downloads-page.ts';

const isMissing = aria2Program === undefined;

const content = randomBytes(600_000);

describe.skipIf(isMissing)('downloads with aria2', () => {
  let root: string;
  let aria2: Aria2;
  let service: FileService;
  beforeAll(async () => {
    root = mkdtempSync(path.join(os.tmpdir(), 'aria2-'));
    [aria2, service] = await Promise.all([
      startAria2(root),
      startFileService({ '电影.bin': content, 'small.bin': content.subarray(0, 1_000) }, { heldAfterBytes: 300_000 }),
    ]);
  });
  afterAll(async () => {
    for (const part of [aria2, service]) await part?.[Symbol.asyncDispose]();
    if (root) rmSync(root, { recursive: true });
  });

  const sessionOf = (facts: Partial<Parameters<typeof createTestSession>[0]> = {}): TestSession =>
    createTestSession({ kind: 'aria2', port: aria2.port, secrets: { password: aria2.secret }, ...facts });

  async function openPage(): Promise<DownloadsPage> {
    const page = await openDownloadsPage(sessionOf());
    await page.post('change_all', { action: 'forget' });
    expect(await page.post('connect', {})).toEqual({ status: 200, body: { path: aria2.downloads } });
    page.send({ type: 'watch', details: null });
    return page;
  }

  test('a link is downloaded with a limit, paused, resumed from where it was, and complete with the same bytes', async () => {
    await using page = await openPage();
    const link = service.url('电影.bin');
    const added = await page.post('links', { links: [link], folder: '电视剧/第一季', download_limit: 100_000 });
    expect(added.body).toEqual({ done: 1, failed: [] });
    const running = await page.download(({ completed_bytes: bytes }) => bytes > 0);
    expect(running).toMatchObject({ status: 'active', name: '电影.bin', total_bytes: 600_000, is_torrent: false });
    const { id } = running;

    page.send({ type: 'watch', details: id });
    const { details } = await page.until('details');
    expect(details).toMatchObject({
      id,
      folder: path.join(aria2.downloads, '电视剧/第一季'),
      links: [link],
      files: [{ number: 1, path: '电影.bin', total_bytes: 600_000, is_selected: true }],
      servers: [{ address: new URL(link).host }],
      download_limit: 100_000,
    });

    await page.post('change', { action: 'pause', id });
    const paused = await page.download(({ status }) => status === 'paused');
    expect(paused.completed_bytes).toBeLessThan(600_000);
    await page.post('settings', { id, download_limit: 0 });
    service.release();
    await page.post('change', { action: 'resume', id });
    await page.download(({ status }) => status === 'complete');
    expect(service.ranges.some((range) => /^bytes=[1-9]/.test(range ?? ''))).toBe(true);
    expect(readFileSync(path.join(aria2.downloads, '电视剧/第一季/电影.bin')).equals(content)).toBe(true);

    await page.post('change', { action: 'forget', id });
    await page.until('downloads', ({ downloads }) => downloads.length === 0);
    expect(page.bugs).toEqual([]);
  });

  test('each link succeeds or fails by itself; what failed is tried again', async () => {
    await using page = await openPage();
    await page.post('links', { links: [service.url('fehlt'), service.url('small.bin')] });
    const failed = await page.download(({ status }) => status === 'error');
    expect(failed).toMatchObject({ name: 'fehlt', error_code: 3 });
    await page.download(({ status }) => status === 'complete');
    await page.post('change', { action: 'retry', id: failed.id });
    await page.download(({ status, id }) => status === 'error' && id !== failed.id);
    expect((await page.problem('change', { action: 'retry', id: failed.id })).code).toBe('downloads.not-found');
    await page.post('change_all', { action: 'forget' });
    await page.until('downloads', ({ downloads }) => downloads.length === 0);
  });

  test('all are paused and resumed; a removed one is not shown any more, its file stays', async () => {
    await using page = await openPage();
    await page.post('links', { links: [service.url('电影.bin')], folder: 'remove', download_limit: 10_000 });
    const { id } = await page.download(({ completed_bytes: bytes }) => bytes > 0);
    await page.post('change_all', { action: 'pause' });
    await page.download(({ status }) => status === 'paused');
    await page.post('change_all', { action: 'resume' });
    await page.download(({ status }) => status === 'active');
    await page.post('change', { action: 'remove', id });
    await page.until('downloads', ({ downloads }) => downloads.length === 0);
    expect(readFileSync(path.join(aria2.downloads, 'remove/电影.bin')).length).toBeGreaterThan(0);
  });

  test('a torrent is added, and its files are chosen', async () => {
    await using page = await openPage();
    const files = { 'a/一.txt': content.subarray(0, 40_000), '二.txt': content.subarray(0, 90_000) };
    expect(await page.call('POST', 'torrent?folder=bt', makeTorrent('假期', files))).toEqual({ status: 200, body: {} });
    const { id, name, is_torrent: isTorrent } = await page.download(({ status }) => status === 'active');
    expect({ name, isTorrent }).toEqual({ name: '假期', isTorrent: true });
    page.send({ type: 'watch', details: id });
    const { details } = await page.until('details');
    expect(details.files.map((file) => [file.path, file.total_bytes, file.is_selected])).toEqual([
      ['假期/a/一.txt', 40_000, true],
      ['假期/二.txt', 90_000, true],
    ]);
    await page.post('settings', { id, files: [2], upload_limit: 1_000 });
    await page.until(
      'details',
      ({
        details: {
          files: [first, second],
          ...now
        },
      }) => first?.is_selected === false && second?.is_selected === true && now.upload_limit === 1_000,
    );
    expect((await page.problem('settings', { id, files: [0] })).code).toBe('request.invalid');
    await page.post('change', { action: 'remove', id });
  });

  test('a magnet link waits for its torrent under its own name', async () => {
    await using page = await openPage();
    await page.post('links', { links: [`magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Big`] });
    expect(await page.download(() => true)).toMatchObject({ name: 'Big', is_metadata: true, is_torrent: true });
    await page.post('change', { action: 'remove', id: (await page.download(() => true)).id });
  });

  test('the limits of all downloads are read and set', async () => {
    await using page = await openPage();
    const limits = { download_limit: 3_000_000, upload_limit: 20_480 };
    await page.post('limits', limits);
    expect((await page.call('GET', 'limits')).body).toEqual(limits);
    await page.post('limits', { download_limit: 0, upload_limit: 0 });
    expect((await page.call('GET', 'limits')).body).toEqual({ download_limit: 0, upload_limit: 0 });
  });

  test.each([
    ['links', { links: ['file:///etc/passwd'] }],
    ['links', { links: ['http://a/b c'] }],
    ['links', { links: [] }],
    ['links', { links: ['http://a/'], folder: '../../root/.ssh' }],
    ['links', { links: ['http://a/'], folder: '/etc' }],
    ['links', { links: ['http://a/'], 'on-download-complete': '/bin/sh' }],
    ['limits', { download_limit: 0, upload_limit: 0, dir: '/' }],
    ['settings', { id: '0'.repeat(16), 'max-tries': 1 }],
    ['change', { action: 'shutdown', id: '0'.repeat(16) }],
  ])('%s refuses %j', async (call, body) => {
    await using page = await openDownloadsPage(sessionOf());
    expect((await page.problem(call, body)).code).toBe('request.invalid');
  });

  test('what is no torrent, and a torrent too large for aria2, are refused', async () => {
    await using page = await openPage();
    const codeOf = async (bytes: Buffer) => (await page.call('POST', 'torrent', bytes)).body['code'];
    expect(await codeOf(Buffer.from('<html>'))).toBe('downloads.torrent-unreadable');
    expect(await codeOf(Buffer.from('d4:infoi1ee'))).toBe('downloads.torrent-unreadable');
    expect(await codeOf(Buffer.alloc(2_000_000, 'd'))).toBe('downloads.torrent-too-large');
  });

  test('a wrong secret is refused, and without one the page is asked for it', async () => {
    await using wrong = await openDownloadsPage(sessionOf({ secrets: { password: 'falsch' } }));
    expect(await wrong.problem('connect', {})).toMatchObject({ status: 403, code: 'target.login-failed' });

    await using none = await openDownloadsPage(sessionOf({ secrets: {} }));
    const asked = await none.problem('connect', {});
    expect(asked).toMatchObject({ status: 409, code: 'login.credentials-required', wanted: ['password'] });
    expect((await none.call('GET', 'limits')).body['code']).toBe('login.credentials-required');
    none.send({ type: 'watch', details: null });
    expect(await none.until('target_failed')).toMatchObject({ code: 'login.credentials-required' });
    expect((await none.post('connect', { password: aria2.secret })).status).toBe(200);
    none.send({ type: 'watch', details: null });
    await none.until('downloads');
  });

  test('a certificate of its own making is shown once, and must stay the same', async () => {
    const folder = mkdtempSync(path.join(root, 'tls-'));
    const { key, certificate } = await selfSigned('nas');
    const [keyFile, certificateFile] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
    writeFileSync(keyFile, key);
    writeFileSync(certificateFile, certificate);
    const settings = ['rpc-secure=true', `rpc-private-key=${keyFile}`, `rpc-certificate=${certificateFile}`];
    await using secure = await startAria2(folder, settings);
    const facts = { port: secure.port, options: { tls: true } };
    const session = sessionOf(facts);
    await using page = await openDownloadsPage(session);
    const { code, fingerprint } = await page.problem('connect', {});
    expect(code).toBe('login.host-key-unknown');
    expect(session.calls).toEqual([]);
    const trust = { trust_host_key: fingerprint };
    expect(await page.post('connect', trust)).toEqual({ status: 200, body: { path: secure.downloads } });
    expect(session.calls).toEqual([`keep ${fingerprint}`]);

    await using other = await openDownloadsPage(sessionOf({ ...facts, hostKey: 'SHA256:before' }));
    expect(await other.problem('connect', trust)).toMatchObject({ code: 'target.host-key-changed', fingerprint });
  });

  test('a hidden page causes no traffic, and only messages of the page put the idle end off', async () => {
    const session = sessionOf();
    await using page = await openDownloadsPage(session);
    page.send({ type: 'watch', details: null });
    await page.until('downloads');
    await page.post('links', { links: [service.url('电影.bin')], folder: 'idle', download_limit: 20_000 });
    const { id, completed_bytes: first } = await page.download(({ completed_bytes: bytes }) => bytes > 0);
    await page.download(({ completed_bytes: bytes }) => bytes > first);
    expect(session.calls).toEqual(['touch']); // by "watch", and by none of the messages after it
    page.send({ type: 'rest' });
    await page.post('change', { action: 'remove', id }); // answered after the "rest" was read
    const { length } = page.received;
    await page.call('GET', 'limits');
    expect(page.received).toHaveLength(length);
    page.send({ type: 'watch', details: null });
    await page.until('downloads', ({ downloads }) => downloads.length === 0);
  });
});
