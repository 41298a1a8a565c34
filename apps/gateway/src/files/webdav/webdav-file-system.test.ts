import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GatewayToServer } from '@tongtu/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileSystem } from '../file-system.ts';
import type { HostKeyError } from '../../session/login-errors.ts';
import { testByteNames } from '../testing/byte-names-suite.ts';
import { pieces, readAll, testFileSystem } from '../testing/file-system-suite.ts';
import { jsonOf, problemOf, startFiles } from '../testing/start-files.ts';
import { type Apache, apacheProgram, startApache } from '../testing/start-apache.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';
import { openWebdav } from './webdav-file-system.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'webdav-'));
const isMissing = apacheProgram === undefined;
let basic: Apache;
let digest: Apache;
let secure: Apache;
beforeAll(async () => {
  if (isMissing) return;
  const start = async (options: Parameters<typeof startApache>[1]): Promise<Apache> =>
    await startApache(mkdtempSync(path.join(root, 'apache-')), options);
  [basic, digest, secure] = [
    await start({ login: 'Basic' }),
    await start({ login: 'Digest' }),
    await start({ login: 'Basic', tls: true }),
  ];
});
afterAll(async () => {
  for (const server of [basic, digest, secure]) await server?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

type More = { password?: string; username?: string; session?: TestSession; trustedHostKey?: string };

function createSession(
  { port }: Apache,
  facts: { tls?: boolean; hostKey?: string; isOwner?: boolean } = {},
): TestSession {
  const { tls = false, ...others } = facts;
  return createTestSession({ kind: 'webdav', port, options: { path: '/dav', tls }, ...others });
}

async function open(server: Apache, more: More = {}): Promise<FileSystem> {
  const { username, password } = server;
  return await openWebdav({ session: createSession(server), username, password, ...more });
}

testByteNames(
  'WebDAV with Apache',
  async () => {
    const folder = path.join(basic.shared, 'bytes');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const { port, username, password } = basic;
    const options = { username, path: '/dav/bytes' };
    const session = createTestSession({ kind: 'webdav', port, options, secrets: { password } });
    return { session, folder, path: '/dav/bytes', [Symbol.asyncDispose]: async () => {} };
  },
  { skip: isMissing },
);

let folders = 0;
for (const [title, serverOf] of [
  ['WebDAV with Apache and Basic', () => basic],
  ['WebDAV with Apache and Digest', () => digest],
] as const)
  testFileSystem(
    title,
    async () => {
      const fileSystem = await open(serverOf());
      const folder = `/dav/case ${folders++}`;
      await fileSystem.createFolder(folder);
      return { fileSystem, folder, [Symbol.asyncDispose]: async () => fileSystem.close() };
    },
    { skip: isMissing },
  );

describe.skipIf(isMissing)('WebDAV with Apache', () => {
  test('a wrong password is refused, with Basic and with Digest', async () => {
    for (const server of [basic, digest])
      await expect(open(server, { password: 'wrong' })).rejects.toMatchObject({ code: 'login-failed' });
    await expect(open(basic, { username: '' })).rejects.toMatchObject({ code: 'login-failed' });
  });

  test('a certificate of the device’s own making is shown once, and must stay the same', async () => {
    const session = createSession(secure, { tls: true });
    const asked = await open(secure, { session, trustedHostKey: 'SHA256:other' }).catch((error: unknown) => error);
    expect(asked).toMatchObject({ name: 'HostKeyError', known: null });
    expect(session.calls).toEqual([]);
    const { fingerprint } = asked as HostKeyError;
    const fileSystem = await open(secure, { session, trustedHostKey: fingerprint });
    expect(session.calls).toEqual([`keep ${fingerprint}`]);
    await fileSystem.write('/dav/a', pieces(Buffer.from('secure'), 3), { start: 0, total: 6 });
    expect((await readAll(fileSystem, '/dav/a', 0, 6)).toString()).toBe('secure');
    fileSystem.close();
    const before = createSession(secure, { tls: true, hostKey: 'SHA256:before' });
    const changed = open(secure, { session: before, trustedHostKey: fingerprint });
    await expect(changed).rejects.toMatchObject({ name: 'HostKeyError', known: 'SHA256:before', fingerprint });
  });

  test('a certificate is trusted by the calls of the page, and the server takes its fingerprint', async () => {
    const { username, password } = secure;
    const options = { path: '/dav', tls: true, username };
    const session = createTestSession({ kind: 'webdav', port: secure.port, options, secrets: { password } });
    await using client = await startFiles(session);
    const { fingerprint } = await problemOf(await client.post('connect', {}));
    expect(await jsonOf(await client.post('connect', { trust_host_key: fingerprint }))).toEqual({ path: '/dav' });
    expect(session.calls).toContain(`keep ${fingerprint}`);
    const message = { type: 'host_key', sessionId: 1, fingerprint };
    expect(GatewayToServer.parse(message)).toEqual(message);
  });

  test('a member’s trust in a certificate counts for the session alone', async () => {
    const session = createSession(secure, { tls: true, isOwner: false });
    const asked = await open(secure, { session }).catch((error: unknown) => error);
    const { fingerprint } = asked as HostKeyError;
    (await open(secure, { session, trustedHostKey: fingerprint })).close();
    (await open(secure, { session })).close();
    expect(session.calls).toEqual([]);
  });

  test('an upload whose rest does not come leaves nothing', async () => {
    const fileSystem = await open(basic);
    async function* untilCut(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(100_000);
      throw new Error('cut');
    }
    await expect(fileSystem.write('/dav/cut', untilCut(), { start: 0, total: 200_000 })).rejects.toThrow('cut');
    await fileSystem.deleteFile('/dav/cut');
    expect(await fileSystem.resumeOffset('/dav/cut', 100_000)).toBe(0);
    await expect(fileSystem.stat('/dav/cut')).rejects.toMatchObject({ code: 'not-found' });
    fileSystem.close();
  });
});
