import { randomUUID } from 'node:crypto';
import { FileError, type FileSystem, isFileError } from '../file-system.ts';
import { partPath } from '../part-name.ts';
import { Failures } from './failures.ts';
import { type TreeEntry, walkTree } from './walk-tree.ts';

/** Copies with all content, and goes on after what cannot be copied: links and special files among it. */
export async function copyTree(
  fileSystem: FileSystem,
  { from, to, overwrite }: { from: string; to: string; overwrite: boolean },
  signal: AbortSignal,
): Promise<{ done: number; failures: Failures }> {
  const failures = new Failures();
  let done = 0;
  const root = { path: from, ...(await fileSystem.statEntry(from)) };
  const onUnreachable = (path: string, error: unknown): void =>
    failures.add(path, error ?? new FileError('name-not-possible'));
  for await (const { entry, isAfterContent } of walkTree({ fileSystem, onUnreachable, signal }, root)) {
    if (isAfterContent) continue;
    try {
      await copyEntry(fileSystem, entry, to + entry.path.slice(from.length), { overwrite, signal });
      done++;
    } catch (error) {
      if (entry === root || isFileError(error, 'disk-full')) throw error;
      failures.add(entry.path, error);
    }
  }
  return { done, failures };
}

async function copyEntry(
  fileSystem: FileSystem,
  entry: TreeEntry,
  to: string,
  { overwrite, signal }: { overwrite: boolean; signal: AbortSignal },
): Promise<void> {
  if (entry.type === 'folder') return await fileSystem.createFolder(to);
  if (entry.type !== 'file') throw new FileError('not-supported');
  if (!overwrite && (await exists(fileSystem, to))) throw new FileError('exists'); // before all is copied in vain
  const part = partPath(to, randomUUID());
  try {
    await copyBytes(fileSystem, entry, part, signal);
    await fileSystem.rename(part, to, { overwrite });
  } catch (error) {
    await fileSystem.deleteFile(part).catch(() => {}); // there may be none; the reason is thrown
    throw error;
  }
}

async function copyBytes(fileSystem: FileSystem, entry: TreeEntry, part: string, signal: AbortSignal): Promise<void> {
  if (fileSystem.copyFile !== undefined) {
    try {
      return await fileSystem.copyFile(entry.path, part, signal);
    } catch (error) {
      if (!isFileError(error, 'not-supported')) throw error;
    }
  }
  const total = entry.size ?? 0;
  const source = untilAborted(fileSystem.read(entry.path, { start: 0, end: total }), signal);
  await fileSystem.write(part, source, { start: 0, total });
}

async function* untilAborted(source: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield chunk;
  }
}

export async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  return await fileSystem.statEntry(path).then(
    () => true,
    (error: unknown) => {
      if (isFileError(error, 'not-found')) return false;
      throw error;
    },
  );
}
