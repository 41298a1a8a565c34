import type { TreeSummary } from '@tongtu/contract';
import { FileError, type FileSystem } from '../file-system.ts';
import { walkTree } from './walk-tree.ts';

/** Counting more takes longer than a user waits. */
const MAX_COUNTED = 100_000;

/** What a delete of these paths takes. */
export async function summarizeTree(
  fileSystem: FileSystem,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<TreeSummary> {
  const summary: TreeSummary = { files: 0, folders: 0, others: 0, bytes: 0, unreadable: 0, is_complete: true };
  let counted = 0;
  const onUnreachable = (_path: string, error: unknown): void => {
    if (error !== undefined && !(error instanceof FileError)) throw error;
    summary.unreadable++;
  };
  for (const path of paths) {
    const root = { path, ...(await fileSystem.statEntry(path)) };
    for await (const { entry, isAfterContent } of walkTree({ fileSystem, onUnreachable, signal }, root)) {
      if (isAfterContent) continue;
      if (++counted > MAX_COUNTED) return { ...summary, is_complete: false };
      if (entry.type === 'folder') summary.folders++;
      else if (entry.type === 'file') summary.files++;
      else summary.others++;
      if (entry.type === 'file') summary.bytes += entry.size ?? 0;
    }
  }
  return summary;
}
