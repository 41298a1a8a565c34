import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { TreeSummary } from '@tongtu/contract';
import { createTestSession } from '../../testing/test-session.ts';
import { readAll } from '../testing/file-system-suite.ts';
import { jsonOf, startFiles } from '../testing/start-files.ts';
import { STATUS } from './smb-errors.ts';
import { utf16 } from './wire/fields.ts';
import { FrameDecoder, frameHeader } from './wire/frame-decoder.ts';
import { openSmb } from './smb-file-system.ts';

const COMMAND = { negotiate: 0, sessionSetup: 1, treeConnect: 3, create: 5, close: 6, read: 8, list: 14, info: 16 };
const MESSAGE_BYTES = 64;
const FILE_BYTES = 10;

type Reply = { status?: number; body?: Buffer };
type Hostile = Partial<Record<keyof typeof COMMAND, (count: number) => Reply>>;

/** Logs everybody in as a guest. Whatever is opened is a folder, and a file of ten bytes. */
const honest: Record<string, (count: number) => Reply> = {
  negotiate: () => ({ body: numbers(64, [4, 0x0210], [28, 65_536], [32, 65_536], [36, 65_536]) }),
  sessionSetup: (count) => {
    const challenge = Buffer.alloc(56);
    challenge.write('NTLMSSP\0\x02', 'latin1');
    const token = Buffer.concat([numbers(8, [4, MESSAGE_BYTES + 8], [6, challenge.length]), challenge]);
    return count === 0 ? { status: STATUS.moreProcessing, body: token } : { body: numbers(8, [2, 1]) };
  },
  create: () => ({ body: numbers(88, [48, FILE_BYTES]) }),
  list: () => ({ status: STATUS.noMoreFiles }),
  info: () => ({ body: withData(numbers(8, [2, MESSAGE_BYTES + 8], [4, 32]), Buffer.alloc(32)) }),
};

function createServer(hostile: Hostile): () => Duplex {
  return () => {
    const decoder = new FrameDecoder();
    const counts = new Map<number, number>();
    const server: Duplex = new Duplex({
      read: () => {},
      write(bytes: Buffer, _encoding, done) {
        for (const request of decoder.push(bytes)) {
          const code = request.readUInt16LE(12);
          const count = counts.get(code) ?? 0;
          counts.set(code, count + 1);
          const name = Object.entries(COMMAND).find(([, value]) => value === code)?.[0] ?? '';
          const answer = (hostile as typeof honest)[name] ?? honest[name];
          const { status = 0, body = Buffer.alloc(MESSAGE_BYTES) } = answer?.(count) ?? {};
          const header = Buffer.from(request.subarray(0, MESSAGE_BYTES));
          header.writeUInt32LE(status, 8);
          setImmediate(() => server.push(Buffer.concat([frameHeader([header, body]), header, body])));
        }
        done();
      },
    });
    return server;
  };
}

/** Bytes with a number of 16 or 32 bits at each of these places. */
function numbers(length: number, ...places: [at: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of places) bytes.writeUIntLE(value, at, value > 0xffff ? 4 : 2);
  return bytes;
}

function withData(body: Buffer, data: Buffer): Buffer {
  return Buffer.concat([body, data]);
}

function listOf(names: readonly string[], attributes = 0): Reply {
  const entries = names.map((name, index) => {
    const bytes = utf16(name);
    const isLast = index === names.length - 1;
    const size = 104 + bytes.length;
    return withData(numbers(104, [0, isLast ? 0 : size], [40, 3], [56, attributes], [60, bytes.length]), bytes);
  });
  const list = Buffer.concat(entries);
  return { body: withData(numbers(8, [2, MESSAGE_BYTES + 8], [4, list.length]), list) };
}

const end = { status: STATUS.noMoreFiles };
const guest = { username: 'guest', password: '', domain: '', host: 'nas', startPath: '/' };
const open = async (hostile: Hostile) => await openSmb({ ...guest, openStream: createServer(hostile) });

test('names that lead elsewhere are shown, and nothing can be done with them', async () => {
  const names = ['.', '..', '../etc', 'a/b', 'a\\..\\b', 'a\0b', '', 'C:', 'fine'];
  let count = 0;
  const list = () => (count++ % 2 === 0 ? listOf(names) : end);
  const options = { username: 'guest' };
  const session = createTestSession({ kind: 'smb', port: 1, options }, createServer({ list }));
  await using client = await startFiles(session);
  const { entries } = await client.list('/share');
  expect(entries.filter(({ usable }) => usable === false).map(({ name }) => name)).toEqual([
    '../etc',
    'a/b',
    'a\0b',
    '',
  ]);
  expect(entries.filter(({ usable }) => usable !== false).map(({ name }) => name)).toEqual(['a\\..\\b', 'C:', 'fine']);
  const reply = await client.get('content', { path: '/share/a\\..\\b' });
  expect((await reply.json()) as unknown).toMatchObject({ code: 'files.name-not-possible' });
  expect(client.bugs).toEqual([]);
});

const manyNames = listOf(Array.from({ length: 2_000 }, (_, index) => `file ${index}`));
test.each<[string, () => Reply]>([
  ['names', () => manyNames],
  ['the folder itself', () => listOf(['.', '..'])],
])('a list that has no end, of %s, is refused', async (_what, list) => {
  const fileSystem = await open({ list });
  const listed = fileSystem.list('/share', { withLinkTargets: false });
  await expect(listed).rejects.toMatchObject({ code: 'too-many-entries' });
});

test.each<[string, (count: number) => Reply, string]>([
  ['are fewer than announced', (count) => data(count === 0 ? 4 : 0), 'changed'],
  ['are more than were asked for', () => data(1_000), 'changed'],
  ['are said to be more than there are', () => ({ body: numbers(16, [2, 80], [4, 1_000_000]) }), 'protocol'],
  ['lie before the message', () => ({ body: numbers(16, [2, 255], [4, 10]) }), 'protocol'],
])('a file whose bytes %s is not read to its end', async (_what, read, code) => {
  const fileSystem = await open({ read });
  await expect(readAll(fileSystem, '/share/file', 0, FILE_BYTES)).rejects.toMatchObject({ code });
});

function data(length: number): Reply {
  return { body: withData(numbers(16, [2, MESSAGE_BYTES + 16], [4, length]), Buffer.alloc(length, 'x')) };
}

test('folders in folders without end have an end', async () => {
  let count = 0;
  const list = () => (count++ % 2 === 0 ? listOf(['folder'.repeat(40)], 0x10) : end);
  const create = () => ({ body: numbers(88, [56, 0x10]) });
  const session = createTestSession(
    { kind: 'smb', port: 1, options: { username: 'guest' } },
    createServer({ list, create }),
  );
  await using client = await startFiles(session);
  const query = { paths: JSON.stringify(['/share/folder']) };
  const summary = await jsonOf<TreeSummary>(await client.get('tree_summary', query));
  // As deep as the longest path.
  expect(summary).toMatchObject({ folders: 17, unreadable: 1 });
  expect(client.bugs).toEqual([]);
});
