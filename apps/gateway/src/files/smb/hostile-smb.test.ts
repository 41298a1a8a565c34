import { expect, test } from 'vitest';
import type { TreeSummary } from '@tongtu/contract';
import {
  createHostileSmb,
  FILE_BYTES,
  type Hostile,
  listOf,
  MESSAGE_BYTES,
  numbers,
  type Reply,
  withData,
} from '../../testing/hostile-smb.ts';
import { createTestSession, memoryOf } from '../../testing/test-session.ts';
import { listAll, readAll } from '../testing/file-system-suite.ts';
import { jsonOf, startFiles } from '../testing/start-files.ts';
import { openSmb } from './smb-file-system.ts';
import { STATUS } from './smb-errors.ts';

const createServer = (hostile: Hostile) => () => createHostileSmb(hostile);

const end = { status: STATUS.noMoreFiles };
const guest = { username: 'guest', password: '', domain: '', host: 'nas', startPath: '/' };
const open = async (hostile: Hostile) =>
  await openSmb({ ...guest, memory: memoryOf(Infinity), openStream: createServer(hostile) });

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
  const listed = listAll(fileSystem, '/share');
  await expect(listed).rejects.toMatchObject({ code: 'too-many-entries' });
});

test('lists for which there is no memory are refused, and hold nothing afterwards', async () => {
  const memory = memoryOf(600_000);
  const openStream = createServer({ list: (count) => (count < 20 ? manyNames : end) });
  const fileSystem = await openSmb({ ...guest, memory, openStream });
  const lists = await Promise.allSettled(Array.from({ length: 4 }, () => listAll(fileSystem, '/share')));
  expect(lists.filter(({ status }) => status === 'fulfilled')).toHaveLength(2); // at a time
  expect(lists.at(-1)).toMatchObject({ reason: { code: 'over-budget' } });
  expect(memory.heldBytes).toBe(0);
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
