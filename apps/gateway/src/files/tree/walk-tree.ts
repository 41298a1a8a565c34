import { FilePath, isPossibleName } from '@tongtu/contract';
import { type Attributes, childPath, type FileSystem } from '../file-system.ts';

export type TreeEntry = Pick<Attributes, 'type' | 'size' | 'modifiedAt'> & { path: string };
/** A folder is visited before its content, and again after it. */
export type Visit = { entry: TreeEntry; isAfterContent: boolean };

type Walk = {
  fileSystem: Pick<FileSystem, 'list'>;
  /** A folder that cannot be listed, or an entry whose name cannot be part of a path. */
  onUnreachable: (path: string, error: unknown) => void;
  signal: AbortSignal;
};

/** Everything below an entry, which is itself the first. Links are not followed, so that no circle has no end. */
export async function* walkTree(walk: Walk, entry: TreeEntry): AsyncGenerator<Visit> {
  walk.signal.throwIfAborted();
  yield { entry, isAfterContent: false };
  if (entry.type !== 'folder') return;
  for (const { name, ...attributes } of await listOrReport(walk, entry.path)) {
    const path = childPath(entry.path, name);
    if (isPossibleName(name) && FilePath.safeParse(path).success) yield* walkTree(walk, { path, ...attributes });
    else walk.onUnreachable(path, undefined);
  }
  yield { entry, isAfterContent: true };
}

async function listOrReport({ fileSystem, onUnreachable }: Walk, path: string): ReturnType<FileSystem['list']> {
  try {
    return await fileSystem.list(path);
  } catch (error) {
    onUnreachable(path, error);
    return [];
  }
}
