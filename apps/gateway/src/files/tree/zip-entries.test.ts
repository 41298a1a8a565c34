import { heldBytes } from '@tongtu/base/testing/held-bytes';
import { expect, test } from 'vitest';
import { memoryOf } from '../../testing/test-session.ts';
import { FileError, type FileSystem } from '../file-system.ts';
import { makeLargeZip } from './make-large-zip.ts';
import { zipEntries } from './zip-entries.ts';

/** More than the format's first version could count: 65 535. */
const ENTRIES = 66_000;
const PER_FOLDER = 1_000;
const CONTENT = Buffer.alloc(30_000, 'content');
/** client-zip keeps the list of names, which stands at the end: 46 MB. The files have 59 MB more. */
const MAX_HELD_BYTES = 80_000_000;

/** Many folders of many small files, or of empty folders and some files. */
function manyFiles(onEnd: () => void, { content = CONTENT, filesPerFolder = PER_FOLDER } = {}): FileSystem {
  const attributes = { size: content.length, modifiedAt: null };
  const folders = Array.from({ length: ENTRIES / PER_FOLDER }, (_, index) => ({
    name: `folder ${index}`,
    type: 'folder' as const,
    ...attributes,
  }));
  const entries = Array.from({ length: PER_FOLDER }, (_, index) => ({
    name: `file ${index}`,
    type: index < filesPerFolder ? ('file' as const) : ('folder' as const),
    ...attributes,
  }));
  return {
    memory: memoryOf(Infinity),
    async *list(path: string) {
      yield path === '/root' ? folders : path.includes('/file') ? [] : entries;
    },
    async *read() {
      try {
        yield content;
      } finally {
        onEnd();
      }
    },
  } as Partial<FileSystem> as FileSystem; // all that is used of it
}

const rootFolder = { path: '/root', type: 'folder' as const, size: null, modifiedAt: null };

test(
  'a zip of 66 000 entries is whole, and read as it is sent, without being held in memory',
  { timeout: 180_000 },
  async () => {
    let ended = 0;
    const filesPerFolder = 30; // a folder costs less time
    const fileSystem = manyFiles(() => ended++, { filesPerFolder });
    const { signal } = new AbortController();
    const { entries } = zipEntries(fileSystem, [rootFolder], {
      ...{ signal, onChunk: () => {}, reasonOf: () => '', nameEncoding: 'auto' },
    });
    const files = (ENTRIES / PER_FOLDER) * filesPerFolder;
    let size = 0;
    let last = Buffer.alloc(0);
    const before = heldBytes();
    let most = 0;
    for await (const chunk of makeLargeZip(entries)) {
      const isSample = Math.floor(size / 15_000_000) < Math.floor((size += chunk.length) / 15_000_000);
      if (isSample) most = Math.max(most, heldBytes() - before);
      last = Buffer.concat([last, chunk]).subarray(-200);
    }
    expect(ended).toBe(files);
    expect(size).toBeGreaterThan(files * CONTENT.length + ENTRIES * (30 + 46 + 2 * 'root/folder 0/file 0'.length));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MAX_HELD_BYTES);
    const end64 = last.lastIndexOf(Buffer.from([0x50, 0x4b, 6, 6]));
    expect(last.readBigUInt64LE(end64 + 32)).toBe(BigInt(ENTRIES + ENTRIES / PER_FOLDER + 1));
  },
);

test('a zip that is given up closes the files that it reads', async () => {
  let ended = 0;
  const fileSystem = manyFiles(() => ended++, { content: Buffer.alloc(100_000) });
  const { signal } = new AbortController();
  const { entries, close } = zipEntries(fileSystem, [rootFolder], {
    ...{ signal, onChunk: () => {}, reasonOf: () => '', nameEncoding: 'auto' },
  });
  let opened = 0;
  for await (const entry of entries) if (entry.input !== undefined && ++opened === 5) break;
  await close();
  expect(ended).toBe(opened);
});

test('small files are read while others are sent, a few at a time and in their order', async () => {
  const begun: string[] = [];
  let running = 0;
  let mostRunning = 0;
  const answers: (() => void)[] = [];
  const fileSystem = {
    ...manyFiles(() => {}),
    async *read(path: string) {
      begun.push(path);
      mostRunning = Math.max(mostRunning, ++running);
      await new Promise<void>((resolve) => answers.push(resolve));
      running--;
      if (path.endsWith('file 3')) throw new FileError('forbidden');
      yield Buffer.from(path);
    },
  } as Partial<FileSystem> as FileSystem; // all that is used of it
  const { signal } = new AbortController();
  const { entries } = zipEntries(fileSystem, [rootFolder], {
    ...{ signal, onChunk: () => {}, reasonOf: () => '', nameEncoding: 'auto' },
  });
  const names: string[] = [];
  const consume = (async () => {
    for await (const { name, input } of entries) {
      if (input === undefined) continue;
      let content = '';
      for await (const part of input as AsyncIterable<Buffer>) content += part.toString(); // no text so far
      expect(content).toBe(`/${name}`);
      names.push(name.slice(name.lastIndexOf('/') + 1));
      if (names.length === 30) return;
    }
  })();
  await expect.poll(() => begun.length).toBeGreaterThan(10);
  expect(names).toEqual([]);
  let isOver = false;
  void consume.finally(() => (isOver = true));
  while (!isOver) {
    answers.pop()?.(); // the latest first
    await new Promise(setImmediate);
  }
  await consume;
  expect(names).toEqual(Array.from({ length: 31 }, (_, index) => `file ${index}`).filter((name) => name !== 'file 3'));
  expect(mostRunning).toBeLessThanOrEqual(17);
});
