import type { Attributes, SFTPWrapper } from 'ssh2';
import { expect, test } from 'vitest';
import { ssh2 } from '../../ssh/ssh2.ts';
import { startSshServer } from '../../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';
import { listAll, readAll } from '../testing/file-system-suite.ts';
import { startFiles } from '../testing/start-files.ts';
import { openSftp } from './sftp-file-system.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const attrs: Attributes = { mode: 0o100644, uid: 0, gid: 0, size: 10, atime: 0, mtime: 1_700_000_000 };
const handle = Buffer.from('handle');
const MEGABYTE = 1024 * 1024;

/** A server that opens everything, and answers lists and reads as the test wants. */
async function startServer(answer: (files: SFTPWrapper) => void, { maxHeldBytes = 64 * MEGABYTE } = {}) {
  const server = await startSshServer({
    onSftp: (files) => {
      files.on('error', () => {}); // the client may hang up
      for (const open of ['OPENDIR', 'OPEN'] as const) files.on(open, (id: number) => files.handle(id, handle));
      for (const stat of ['STAT', 'LSTAT'] as const) files.on(stat, (id: number) => files.attrs(id, attrs));
      files.on('CLOSE', (id) => files.status(id, STATUS_CODE.OK));
      files.on('EXTENDED', (id) => files.status(id, STATUS_CODE.OP_UNSUPPORTED));
      answer(files);
    },
  });
  const options = { username: 'u', path: '/' };
  const login = { hostKey: server.fingerprint, secrets: { password: 'p' }, options };
  const session: TestSession = createTestSession({ kind: 'sftp', port: server.port, maxHeldBytes, ...login });
  return { session, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
}

const entryOf = (filename: string) => ({ filename, longname: filename, attrs });

test('names that lead elsewhere are shown, and nothing can be done with them', async () => {
  const names = ['.', '..', '../etc', 'a/b', 'a\0b', '', 'fine'];
  await using server = await startServer((files) => {
    let isDone = false;
    files.on('READDIR', (id) => {
      if (isDone) files.status(id, STATUS_CODE.EOF);
      else files.name(id, names.map(entryOf));
      isDone = true;
    });
  });
  await using client = await startFiles(server.session);
  const { entries } = await client.list('/');
  expect(entries.filter(({ usable }) => usable === false).map(({ name }) => name)).toEqual([
    '../etc',
    'a/b',
    'a\0b',
    '',
  ]);
  expect(entries.filter(({ usable }) => usable !== false).map(({ name }) => name)).toEqual(['fine']);
  expect(client.bugs).toEqual([]);
});

/** Without properties, so that a reply holds many. */
const manyNames = Array.from({ length: 10_000 }, () => ({ filename: 'x', longname: '', attrs: {} as Attributes }));
test('a list that has no end is refused', async () => {
  await using server = await startServer((files) => files.on('READDIR', (id) => files.name(id, manyNames)));
  const fileSystem = await openSftp({ session: server.session, typed: {} });
  const listed = listAll(fileSystem, '/');
  await expect(listed).rejects.toMatchObject({ code: 'too-many-entries' });
});

test('a list whose replies take more memory than its account may hold is refused, and holds nothing afterwards', async () => {
  const answer = (files: SFTPWrapper) => files.on('READDIR', (id) => files.name(id, manyNames));
  await using server = await startServer(answer, { maxHeldBytes: 2 * MEGABYTE }); // fewer than one of them takes
  const fileSystem = await openSftp({ session: server.session, typed: {} });
  await expect(listAll(fileSystem, '/')).rejects.toMatchObject({ code: 'over-budget' });
  expect(server.session.memory.heldBytes).toBe(0);
});

test.each([
  ['fewer bytes than announced', 4, { code: 'changed' }],
  ['more bytes than were asked for', 1_000, { text: 'x'.repeat(10) }],
])('a file with %s is cut or refused', async (_what, length, outcome) => {
  await using server = await startServer((files) => {
    let count = 0;
    files.on('READ', (id) => {
      if (count++ > 0) files.status(id, STATUS_CODE.EOF);
      else files.data(id, Buffer.alloc(length, 'x'));
    });
  });
  const fileSystem = await openSftp({ session: server.session, typed: {} });
  const read = readAll(fileSystem, '/file', 0, 10).then((bytes) => ({ text: bytes.toString() }));
  expect(await read.catch((error: unknown) => error)).toMatchObject(outcome);
});
