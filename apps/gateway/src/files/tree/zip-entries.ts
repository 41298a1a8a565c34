import { type NameEncoding, pathText } from '@tongtu/contract';
import { type Attributes, FileError, type FileSystem } from '../file-system.ts';
import { Failures } from './failures.ts';
import { type TreeEntry, walkTree } from './walk-tree.ts';
import { ZipNames } from './zip-names.ts';

/** What client-zip takes: a folder has no input. */
export type ZipEntry = { name: string; lastModified: Date; input?: AsyncIterable<Uint8Array> | string };

type Options = {
  signal: AbortSignal;
  nameEncoding: NameEncoding;
  onChunk: () => void;
  reasonOf: (error: FileError) => string;
};

/** Of many small files most of the time is the way to the target: some are read while others are sent. */
const READ_AHEAD = 16;
const SMALL_BYTES = 64 * 1024;

const OLDEST = new Date(1980, 0, 2); // the format has no older dates
const NEWEST = new Date(2107, 0, 1);

/** What client-zip keeps of each entry until the end, where the list of names stands. */
const ENTRY_BYTES = 400;

type Content = AsyncIterable<Uint8Array>;
/** `content`: of a small file, which is being read already. */
type Job = { entry: TreeEntry; name: string; content: Promise<Content> | undefined };

/**
 * Everything below the roots, with a list of what could not be read at the end. `close` ends the files that are being
 * read.
 */
export function zipEntries(
  fileSystem: FileSystem,
  roots: readonly TreeEntry[],
  options: Options,
): { entries: AsyncGenerator<ZipEntry>; close: () => Promise<void> } {
  const failures = new Failures();
  const held = fileSystem.memory.hold(0);
  const reading = new Set<AsyncGenerator<Buffer>>();
  const names = new ZipNames(options.nameEncoding);

  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const root of roots) yield* below(root);
    if (failures.count > 0) yield { name: '未能下载.txt', lastModified: new Date(), input: report(failures, options) };
  }

  async function* below(root: TreeEntry): AsyncGenerator<ZipEntry> {
    const onUnreachable = (path: string, error: unknown): void =>
      failures.add(path, error ?? new FileError('name-not-possible'));
    const walk = { fileSystem, onUnreachable, signal: options.signal };
    const jobs: Job[] = [];
    for await (const { entry, isAfterContent } of walkTree(walk, root)) {
      if (isAfterContent) {
        names.end(entry);
        continue;
      }
      const content = isSmall(entry) ? readWhole(entry) : undefined;
      content?.catch(() => {}); // thrown when it is its turn
      jobs.push({ entry, name: entry === root ? names.addRoot(root) : names.add(entry), content });
      const job = jobs.length > READ_AHEAD ? jobs.shift() : undefined;
      if (job !== undefined) yield* entryOf(job);
    }
    for (const job of jobs) yield* entryOf(job);
  }

  async function* entryOf({ entry, name, content }: Job): AsyncGenerator<ZipEntry> {
    held.grow(ENTRY_BYTES + 2 * name.length);
    const lastModified = zipDate(entry);
    if (entry.type === 'folder') {
      if (name !== '') yield { name, lastModified };
      return;
    }
    try {
      yield { name, lastModified, input: await (content ?? open(entry)) };
    } catch (error) {
      failures.add(entry.path, error);
    }
  }

  async function readWhole(entry: TreeEntry): Promise<Content> {
    const parts: Uint8Array[] = [];
    for await (const part of await open(entry)) parts.push(part);
    return from(parts);
  }

  /** Reads the first chunk at once: a file that cannot be opened is left out and listed. */
  async function open(entry: TreeEntry): Promise<Content> {
    const { type, size } = entry.type === 'link' ? await fileSystem.stat(entry.path) : entry;
    if (type !== 'file') throw new FileError('not-supported'); // a folder behind a link may contain itself
    const source = fileSystem.read(entry.path, { start: 0, end: size ?? 0 });
    reading.add(source);
    try {
      return chunks(await source.next(), source);
    } catch (error) {
      reading.delete(source);
      throw error;
    }
  }

  async function* chunks(
    first: IteratorResult<Buffer, unknown>,
    source: AsyncGenerator<Buffer>,
  ): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await source.next()) {
      options.onChunk();
      yield next.value;
    }
    reading.delete(source);
  }

  return {
    entries: entries(),
    close: async () => {
      held[Symbol.dispose]();
      await Promise.allSettled([...reading].map((source) => source.return(undefined)));
    },
  };
}

function isSmall({ type, size }: TreeEntry): boolean {
  return type === 'file' && (size ?? 0) <= SMALL_BYTES;
}

async function* from(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function zipDate({ modifiedAt }: Attributes): Date {
  return modifiedAt !== null && modifiedAt > OLDEST && modifiedAt < NEWEST ? modifiedAt : OLDEST;
}

function report({ count, first }: Failures, { reasonOf, nameEncoding }: Options): string {
  const lines = first.map(({ path, error }) => `${pathText(path, nameEncoding)}\t${reasonOf(error)}`);
  const more = count > first.length ? [`… ${count - first.length}`] : [];
  return [...lines, ...more, ''].join('\r\n');
}
