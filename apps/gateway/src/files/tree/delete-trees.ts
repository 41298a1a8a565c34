import { FileError, type FileSystem, isFileError } from '../file-system.ts';
import { Failures } from './failures.ts';
import { walkTree } from './walk-tree.ts';

const AT_A_TIME = 16;

/** Deletes with all content, and goes on after what cannot be deleted. Links go without what they lead to. */
export async function deleteTrees(
  fileSystem: FileSystem,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ done: number; failures: Failures }> {
  const failures = new Failures();
  let done = 0;
  const running = new Set<Promise<void>>();
  let fatal: { error: unknown } | undefined;
  const start = (path: string, work: () => Promise<void>): void => {
    const task = work()
      .then(
        () => void done++,
        (error: unknown) => {
          // The reason for it is the failure of its content.
          if (!isFileError(error, 'not-empty') || failures.count === 0) failures.add(path, error);
        },
      )
      .catch((error: unknown) => void (fatal ??= { error }))
      .finally(() => running.delete(task));
    running.add(task);
  };
  const untilAtMost = async (count: number): Promise<void> => {
    while (running.size > count) await Promise.race(running);
    if (fatal) throw fatal.error;
  };
  const onUnreachable = (path: string, error: unknown): void =>
    failures.add(path, error ?? new FileError('name-not-possible'));

  for (const path of paths) {
    const attributes = await fileSystem.statEntry(path).catch((error: unknown) => failures.add(path, error));
    if (attributes === undefined) continue;
    for await (const { entry, isAfterContent } of walkTree(
      { fileSystem, onUnreachable, signal },
      { path, ...attributes },
    )) {
      if (entry.type !== 'folder') start(entry.path, () => fileSystem.deleteFile(entry.path));
      else if (isAfterContent) {
        await untilAtMost(0); // a folder goes after its content
        start(entry.path, () => fileSystem.deleteFolder(entry.path));
      }
      await untilAtMost(AT_A_TIME - 1);
    }
  }
  await untilAtMost(0);
  return { done, failures };
}
