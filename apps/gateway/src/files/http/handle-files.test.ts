import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ContentPut, TreeResult, TreeSummary } from '@tongtu/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sftpSession } from '../testing/sftp-session.ts';
import { jsonOf, problemOf, startFiles } from '../testing/start-files.ts';
import { type Sshd, sshdProgram, startSshd } from '../../testing/start-sshd.ts';
import type { TestSession } from '../../testing/test-session.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'files-'));
let sshd: Sshd;
beforeAll(async () => {
  if (sshdProgram !== undefined) sshd = await startSshd(root);
});
afterAll(async () => {
  await sshd?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

function newFolder(): string {
  return mkdtempSync(path.join(root, 'case-'));
}

const keptBy = ({ calls }: TestSession): string[] => calls.filter((call) => call.startsWith('keep'));
const touchesOf = ({ calls }: TestSession): number => calls.filter((call) => call === 'touch').length;

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe.skipIf(sshdProgram === undefined)('the calls of the file manager', () => {
  test('an unknown host key is shown, and kept once it is trusted', async () => {
    const session = sftpSession(sshd, { hostKey: null });
    await using client = await startFiles(session);
    const asked = await problemOf(await client.get('list', { path: '/' }));
    expect(asked).toMatchObject({ replyStatus: 409, code: 'login.host-key-unknown', fingerprint: sshd.hostKey });
    expect(asked.detail).toContain('指纹');
    const wrong = await client.post('connect', { trust_host_key: 'SHA256:other' });
    expect((await problemOf(wrong)).code).toBe('login.host-key-unknown');
    expect(keptBy(session)).toEqual([]);
    const connected = await client.post('connect', { trust_host_key: sshd.hostKey });
    expect(await jsonOf(connected)).toEqual({ path: os.userInfo().homedir });
    expect(keptBy(session)).toEqual([`keep ${sshd.hostKey}`]);
    expect((await client.get('list', { path: '/' })).status).toBe(200);
  });

  test('a member’s trust in a host key is not stored', async () => {
    const session = sftpSession(sshd, { hostKey: null, isOwner: false });
    await using client = await startFiles(session);
    expect((await client.post('connect', { trust_host_key: sshd.hostKey })).status).toBe(200);
    expect((await client.get('list', { path: '/' })).status).toBe(200);
    expect(keptBy(session)).toEqual([]);
  });

  test('a changed host key is refused with both fingerprints, and cannot be trusted in passing', async () => {
    await using client = await startFiles(sftpSession(sshd, { hostKey: 'SHA256:before' }));
    const refused = await problemOf(await client.post('connect', { trust_host_key: sshd.hostKey }));
    expect(refused).toMatchObject({
      replyStatus: 409,
      code: 'target.host-key-changed',
      known_fingerprint: 'SHA256:before',
      fingerprint: sshd.hostKey,
    });
  });

  test('missing credentials are asked for, and wrong ones are tried once', async () => {
    const session = sftpSession(sshd, { secrets: {} });
    await using client = await startFiles(session);
    const asked = await problemOf(await client.get('list', { path: '/' }));
    expect(asked).toMatchObject({ code: 'login.credentials-required', wanted: ['password'] });
    const refused = await problemOf(await client.post('connect', { password: 'wrong' }));
    expect(refused).toMatchObject({ replyStatus: 403, code: 'target.login-failed' });
    const connections = session.streams.length;
    expect((await problemOf(await client.get('list', { path: '/' }))).code).toBe('target.login-failed');
    expect(session.streams).toHaveLength(connections);
  });

  test('a key that cannot be read is no fault of the target', async () => {
    await using client = await startFiles(sftpSession(sshd, { secrets: { privateKey: 'nonsense' } }));
    expect((await problemOf(await client.get('list', { path: '/' }))).code).toBe('target.key-unreadable');
  });

  // OpenSSH names a hundred of them in a reply.
  test('a folder of 500 entries is listed whole', async () => {
    const folder = newFolder();
    for (let index = 0; index < 500; index++) writeFileSync(path.join(folder, `file ${index}`), '');
    await using client = await startFiles(sftpSession(sshd));
    const { entries, free_bytes: free } = await client.list(folder);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(500);
    expect(free).toBeGreaterThan(0);
  });

  test('hostile names are listed and read as they are', async () => {
    const folder = newFolder();
    const names = ['line\nbreak', 'back\\slash', '"quotes"', '名'.repeat(85), '👩‍👩‍👧', ' ', '...', '<img src=x>'];
    for (const name of names) writeFileSync(path.join(folder, name), name);
    await using client = await startFiles(sftpSession(sshd));
    const { entries } = await client.list(folder);
    expect(entries.map(({ name }) => name).sort()).toEqual(names.sort());
    for (const name of names)
      expect(await (await client.get('content', { path: `${folder}/${name}` })).text()).toBe(name);
  });

  test.each(['/a/../b', '/a/./b', '//a', 'a', '/a/', '/a\0b', '', '/a/..', '/\ud800'])(
    'the path %j is refused, not followed',
    async (hostile) => {
      await using client = await startFiles(sftpSession(sshd));
      const reply = await problemOf(await client.post('delete', { paths: [hostile] }));
      expect(reply).toMatchObject({ replyStatus: 422, code: 'request.invalid' });
    },
  );

  test('links are listed with what they lead to, circles with nothing', async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, 'folder'));
    symlinkSync('folder', path.join(folder, 'to folder'));
    symlinkSync('circle', path.join(folder, 'circle'));
    symlinkSync('..', path.join(folder, 'folder', 'up'));
    await using client = await startFiles(sftpSession(sshd));
    const { entries } = await client.list(folder);
    const links = entries.filter(({ type }) => type === 'link').map(({ name, link_target: target }) => [name, target]);
    expect(Object.fromEntries(links)).toEqual({ 'to folder': 'folder', circle: undefined });
    expect((await problemOf(await client.get('content', { path: `${folder}/circle` }))).code).toBe('files.not-found');
    const query = { paths: JSON.stringify([folder]) };
    const summary = await jsonOf<TreeSummary>(await client.get('tree_summary', query));
    expect(summary).toEqual({ files: 0, folders: 2, others: 3, bytes: 0, unreadable: 0, is_complete: true });
  });

  test('a delete takes what the summary has counted, but nothing behind a link', async () => {
    const folder = newFolder();
    const doomed = path.join(folder, 'doomed');
    mkdirSync(path.join(doomed, 'a', 'b'), { recursive: true });
    for (const name of ['x', 'a/y', 'a/b/z']) writeFileSync(path.join(doomed, name), '123');
    mkdirSync(path.join(folder, 'kept'));
    writeFileSync(path.join(folder, 'kept', 'file'), '');
    symlinkSync('../kept', path.join(doomed, 'link'));
    await using client = await startFiles(sftpSession(sshd));
    const summary = await jsonOf<TreeSummary>(await client.get('tree_summary', { paths: JSON.stringify([doomed]) }));
    expect(summary).toMatchObject({ files: 3, folders: 3, others: 1, bytes: 9, is_complete: true });
    const paths = [doomed, path.join(folder, 'missing')];
    const result = await jsonOf<TreeResult>(await client.post('delete', { paths }));
    expect(result).toMatchObject({ done: 7, failed_count: 1, failed: [{ path: paths[1], code: 'files.not-found' }] });
    expect(readdirSync(folder)).toEqual(['kept']);
    expect(readdirSync(path.join(folder, 'kept'))).toEqual(['file']);
  });

  test('a range is 206, the rest of a file can be fetched, and a wrong one is 416', async () => {
    const file = path.join(newFolder(), 'video.mp4');
    const bytes = randomBytes(3_000_000);
    writeFileSync(file, bytes);
    await using client = await startFiles(sftpSession(sshd));
    const whole = await client.get('content', { path: file });
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect(hash(await whole.bytes())).toBe(hash(bytes));
    const etag = whole.headers.get('etag') ?? '';
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=2999999-', 2_999_999, 3_000_000],
      ['bytes=-1000', 2_999_000, 3_000_000],
      ['bytes=1000000-2000000', 1_000_000, 2_000_001],
      ['bytes=5-99999999', 5, 3_000_000],
    ] as const) {
      const part = await client.get('content', { path: file, inline: '1' }, { range, 'if-range': etag });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/3000000`);
      expect(hash(await part.bytes())).toBe(hash(bytes.subarray(from, to)));
    }
    const other = await client.get('content', { path: file }, { range: 'bytes=5-6', 'if-range': '"other"' });
    expect(other.status).toBe(200);
    await other.body?.cancel();
    const beyond = await client.get('content', { path: file }, { range: 'bytes=3000000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */3000000']);
  });

  test('a preview is of a safe type; what can hold scripts is a download', async () => {
    const folder = newFolder();
    for (const name of ['图.PNG', 'page.html', 'drawing.svg', '说明.txt', 'x.constructor'])
      writeFileSync(path.join(folder, name), 'x');
    await using client = await startFiles(sftpSession(sshd));
    const headersOf = async (name: string): Promise<Headers> =>
      (await client.get('content', { path: `${folder}/${name}`, inline: '1' })).headers;
    const image = await headersOf('图.PNG');
    expect(image.get('content-type')).toBe('image/png');
    expect(image.get('content-disposition')).toBe(`inline; filename="_.PNG"; filename*=UTF-8''%E5%9B%BE.PNG`);
    // Nobody knows the encoding of a text: the console reads it itself.
    const others = await Promise.all(['page.html', 'drawing.svg', '说明.txt', 'x.constructor'].map(headersOf));
    for (const headers of others) {
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
    }
    for (const headers of [image, ...others]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  test('a special file is not opened', async () => {
    await using client = await startFiles(sftpSession(sshd));
    const reply = await problemOf(await client.get('content', { path: '/dev/zero' }));
    expect(reply).toMatchObject({ replyStatus: 409, code: 'files.not-a-file' });
  });

  test('a download that the client gives up closes its file', async () => {
    const file = path.join(newFolder(), 'big');
    writeFileSync(file, '');
    truncateSync(file, 30_000_000);
    await using client = await startFiles(sftpSession(sshd));
    await client.list('/');
    for (let round = 0; round < 5; round++) {
      const aborted = new AbortController();
      const reply = await fetch(client.url('content', { path: file }), { signal: aborted.signal });
      await reply.body?.getReader().read();
      aborted.abort();
    }
    await expect.poll(() => openCount(file)).toBe(0);
    expect(client.bugs).toEqual([]);
  });

  test('edited text is saved, unless the file has changed in the meantime', async () => {
    const folder = newFolder();
    const file = path.join(folder, '配置.conf');
    await using client = await startFiles(sftpSession(sshd));
    const put = async (query: Record<string, string>, body: string): Promise<Response> =>
      await fetch(client.url('content', query), { method: 'PUT', body });
    const created = await jsonOf<ContentPut>(await put({ path: file }, '第一版'));
    expect(readFileSync(file, 'utf8')).toBe('第一版');
    expect((await problemOf(await put({ path: file }, 'again'))).code).toBe('files.exists');
    const version = created.modified_at ?? '';
    const { ino } = statSync(file);
    const saved = await jsonOf<ContentPut>(await put({ path: file, if_modified: version }, '第二版，更长一些'));
    expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['第二版，更长一些', ino]);
    utimesSync(file, 1_000_000, 1_000_000);
    const conflict = await problemOf(await put({ path: file, if_modified: saved.modified_at ?? '' }, '第三版'));
    expect(conflict).toMatchObject({ replyStatus: 409, code: 'files.changed' });
    const tooLarge = await put({ path: file, if_modified: version }, 'x'.repeat(6_000_000));
    expect((await problemOf(tooLarge)).code).toBe('files.too-large');
    expect(readFileSync(file, 'utf8')).toBe('第二版，更长一些');
    expect(readdirSync(folder)).toEqual(['配置.conf']);
  });

  test('folders are made, renamed, copied with their content, and never put into themselves', async () => {
    const folder = newFolder();
    await using client = await startFiles(sftpSession(sshd));
    const at = (name: string): string => `${folder}/${name}`;
    expect((await client.post('folder', { path: at('一') })).status).toBe(201);
    expect((await problemOf(await client.post('folder', { path: at('一') }))).code).toBe('files.exists');
    mkdirSync(path.join(folder, '一', '空'));
    const bytes = randomBytes(200_000);
    writeFileSync(path.join(folder, '一', 'data'), bytes);
    symlinkSync('data', path.join(folder, '一', 'link'));
    const copied = await jsonOf<TreeResult>(await client.post('copy', { from: at('一'), to: at('二') }));
    expect(copied).toMatchObject({
      done: 3,
      failed_count: 1,
      failed: [{ path: at('一/link'), code: 'files.not-supported' }],
    });
    expect(readdirSync(path.join(folder, '二')).sort()).toEqual(['data', '空']);
    expect(hash(readFileSync(path.join(folder, '二', 'data')))).toBe(hash(bytes));
    const into = await client.post('move', { from: at('一'), to: at('一/空/一') });
    expect((await problemOf(into)).code).toBe('files.into-itself');
    await jsonOf(await client.post('move', { from: at('二'), to: at('三') }));
    expect(readdirSync(folder).sort()).toEqual(['一', '三'].sort());
    const onto = await client.post('move', { from: at('三/data'), to: at('一'), overwrite: true });
    expect((await problemOf(onto)).code).toBe('files.exists');
  });

  test('what is on another volume is moved by copying it', async () => {
    if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync(root).dev) return;
    const there = mkdtempSync('/dev/shm/files-');
    try {
      const folder = newFolder();
      mkdirSync(path.join(folder, '夹'));
      writeFileSync(path.join(folder, '夹', 'a'), 'content');
      await using client = await startFiles(sftpSession(sshd));
      const move = { from: `${folder}/夹`, to: `${there}/夹` };
      expect(await jsonOf<TreeResult>(await client.post('move', move))).toMatchObject({ done: 2, failed_count: 0 });
      expect(readFileSync(path.join(there, '夹', 'a'), 'utf8')).toBe('content');
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(there, { recursive: true });
    }
  });

  test('a lost connection is said, and the next call opens another one', async () => {
    const session = sftpSession(sshd);
    await using client = await startFiles(session);
    await client.list('/');
    const calls = touchesOf(session);
    const waiting = client.get('tree_summary', { paths: JSON.stringify(['/proc']) });
    await expect.poll(() => touchesOf(session)).toBe(calls + 1);
    session.streams[0]?.destroy();
    expect((await problemOf(await waiting)).code).toBe('target.lost');
    expect((await client.list('/')).entries.length).toBeGreaterThan(0);
    expect(session.streams).toHaveLength(2);
  });

  test('an ended session answers no call, and its connection is closed', async () => {
    const session = sftpSession(sshd);
    await using client = await startFiles(session);
    await client.list('/');
    session.end('right-ended');
    const refused = await problemOf(await client.get('list', { path: '/' }));
    expect(refused).toMatchObject({ replyStatus: 410, code: 'target.right-ended' });
    await expect.poll(() => session.streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('what is no call, or not sent as JSON, is refused', async () => {
    await using client = await startFiles(sftpSession(sshd));
    expect((await problemOf(await client.get('constructor'))).code).toBe('request.not-found');
    expect((await problemOf(await client.get('delete'))).code).toBe('request.method-not-allowed');
    const form = await fetch(client.url('delete'), { method: 'POST', body: '{"paths":["/tmp/x"]}' });
    expect((await problemOf(form)).code).toBe('request.unsupported-type');
    expect(client.bugs).toEqual([]);
  });
});

/** How many processes of this machine have the file open. */
function openCount(file: string): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => linksIn(`/proc/${pid}/fd`))
    .filter((target) => target === file).length;
}

function linksIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => readlinkOrNothing(path.join(folder, name)));
  } catch {
    return []; // the process has ended
  }
}

function readlinkOrNothing(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return ''; // closed in the meantime
  }
}
