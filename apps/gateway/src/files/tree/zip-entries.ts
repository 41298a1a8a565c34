import { type Attributes, FileError, type FileSystem, nameOf } from '../file-system.ts';
import { Failures } from './failures.ts';
import { type TreeEntry, walkTree } from './walk-tree.ts';

/** What client-zip takes: a folder has no input. */
export type ZipEntry = { name: string; lastModified: Date; input?: AsyncIterable<Uint8Array> | string };

type Options = { signal: AbortSignal; onChunk: () => void; reasonOf: (error: FileError) => string };

const OLDEST = new Date(1980, 0, 2); // the format has no older dates
const NEWEST = new Date(2107, 0, 1);

/**
 * Everything below the roots, with a list of what could not be read at the end. `close` ends the file that is being
 * read.
 */
export function zipEntries(
  fileSystem: FileSystem,
  roots: readonly TreeEntry[],
  options: Options,
): { entries: AsyncGenerator<ZipEntry>; close: () => Promise<void> } {
  const failures = new Failures();
  let reading: AsyncGenerator<Buffer> | undefined;

  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [root, name] of named(roots)) yield* below(root, name);
    if (failures.count > 0) yield { name: '未能下载.txt', lastModified: new Date(), input: report(failures, options) };
  }

  async function* below(root: TreeEntry, rootName: string): AsyncGenerator<ZipEntry> {
    const onUnreachable = (path: string, error: unknown): void =>
      failures.add(path, error ?? new FileError('name-not-possible'));
    const walk = { fileSystem, onUnreachable, signal: options.signal };
    for await (const { entry, isAfterContent } of walkTree(walk, root)) {
      if (isAfterContent) continue;
      const name = safeName(rootName + entry.path.slice(root.path.length));
      const lastModified = zipDate(entry);
      if (entry.type === 'folder') {
        if (name !== '') yield { name, lastModified };
        continue;
      }
      try {
        yield { name, lastModified, input: await open(entry) };
      } catch (error) {
        failures.add(entry.path, error);
      }
    }
  }

  /** Reads the first chunk at once: a file that cannot be opened is left out and listed. */
  async function open(entry: TreeEntry): Promise<AsyncIterable<Uint8Array>> {
    const { type, size } = entry.type === 'link' ? await fileSystem.stat(entry.path) : entry;
    if (type !== 'file') throw new FileError('not-supported'); // a folder behind a link may contain itself
    const source = fileSystem.read(entry.path, { start: 0, end: size ?? 0 });
    reading = source;
    const first = await source.next();
    return chunks(first, source, options.onChunk);
  }

  return { entries: entries(), close: async () => void (await reading?.return(undefined)) };
}

async function* chunks(
  first: IteratorResult<Buffer, unknown>,
  rest: AsyncGenerator<Buffer>,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) {
    onChunk();
    yield next.value;
  }
}

/** Two roots of one name, from different folders, get different ones. */
function named(roots: readonly TreeEntry[]): Map<TreeEntry, string> {
  const used = new Set<string>();
  return new Map(
    roots.map((root) => {
      let name = nameOf(root.path);
      for (let copy = 2; used.has(name); copy++) name = `${nameOf(root.path)} (${copy})`;
      used.add(name);
      return [root, name];
    }),
  );
}

/** Relative, and without what Windows takes for the way to another folder. */
function safeName(name: string): string {
  return name.replace(/^\/+/, '').replaceAll('\\', '_');
}

function zipDate({ modifiedAt }: Attributes): Date {
  return modifiedAt !== null && modifiedAt > OLDEST && modifiedAt < NEWEST ? modifiedAt : OLDEST;
}

function report({ count, first }: Failures, { reasonOf }: Options): string {
  const lines = first.map(({ path, error }) => `${path}\t${reasonOf(error)}`);
  const more = count > first.length ? [`… ${count - first.length}`] : [];
  return [...lines, ...more, ''].join('\r\n');
}
