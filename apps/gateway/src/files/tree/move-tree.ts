import { FileError, type FileSystem, isFileError } from '../file-system.ts';
import { copyTree } from './copy-tree.ts';
import { deleteTrees } from './delete-trees.ts';
import { Failures } from './failures.ts';

/** Renames; between two volumes it copies, and deletes the original when all of it has been copied. */
export async function moveTree(
  fileSystem: FileSystem,
  transfer: { from: string; to: string; overwrite: boolean },
  signal: AbortSignal,
): Promise<{ done: number; failures: Failures }> {
  try {
    await fileSystem.rename(transfer.from, transfer.to, { overwrite: transfer.overwrite, signal });
    return { done: 1, failures: new Failures() };
  } catch (error) {
    if (!isFileError(error, 'other-volume')) throw error;
  }
  const copied = await copyTree(fileSystem, transfer, signal);
  if (copied.failures.count > 0) return copied;
  const { failures } = await deleteTrees(fileSystem, [transfer.from], signal);
  return { done: copied.done, failures };
}

/** Refuses what would put a folder into itself, or replace a folder. */
export async function checkTransfer(
  fileSystem: FileSystem,
  { from, to, overwrite }: { from: string; to: string; overwrite: boolean },
): Promise<void> {
  if (to === from || to.startsWith(`${from}/`)) throw new FileError('into-itself');
  if (!overwrite) return;
  const target = await fileSystem.statEntry(to).catch((error: unknown) => {
    if (!isFileError(error, 'not-found')) throw error;
  });
  if (target?.type === 'folder') throw new FileError('exists');
}
