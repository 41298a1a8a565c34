import { isPossibleName, MAX_FILE_PATH_LENGTH } from '@tongtu/contract';
import { type Attributes, childPath, type Entry, type FileSystem } from '../file-system.ts';

export type TreeEntry = Attributes & { path: string; id?: bigint };
/** A folder is visited before its content, and again after it. */
export type Visit = { entry: TreeEntry; isAfterContent: boolean };

type Walk = {
  fileSystem: Pick<FileSystem, 'list'>;
  /** A folder that cannot be listed, or an entry whose name cannot be part of a path. */
  onUnreachable: (path: string, error: unknown) => void;
  signal: AbortSignal;
};

/** A way to the target costs little when several folders are listed at a time. */
const LISTED_AHEAD = 8;

/** Everything below an entry, which is itself the first. Links are not followed, so that no circle has no end. */
export async function* walkTree(walk: Walk, entry: TreeEntry): AsyncGenerator<Visit> {
  yield* visit(walk, entry, entry.type === 'folder' ? listOrReport(walk, entry.path) : undefined, []);
}

async function* visit(
  walk: Walk,
  entry: TreeEntry,
  list: Promise<Entry[]> | undefined,
  above: readonly bigint[],
): AsyncGenerator<Visit> {
  walk.signal.throwIfAborted();
  yield { entry, isAfterContent: false };
  if (list === undefined) return;
  const entries = reachable(walk, entry.path, await list);
  const ids = entry.id === undefined ? above : [...above, entry.id];
  const isCircle = ({ id }: TreeEntry): boolean => id !== undefined && id !== 0n && ids.includes(id);
  const folders = entries.filter((child) => child.type === 'folder' && !isCircle(child)).values();
  const lists = new Map<TreeEntry, Promise<Entry[]>>();
  const listAhead = (): void => {
    while (lists.size < LISTED_AHEAD) {
      const next = folders.next();
      if (next.done === true) return;
      const listed = listOrReport(walk, next.value.path);
      listed.catch(() => {}); // thrown when it is visited
      lists.set(next.value, listed);
    }
  };
  for (const child of entries) {
    listAhead();
    const listed = lists.get(child);
    lists.delete(child);
    yield* visit(walk, child, listed, ids);
  }
  yield { entry, isAfterContent: true };
}

function reachable({ onUnreachable }: Walk, folder: string, entries: readonly Entry[]): TreeEntry[] {
  const found = entries.map(({ name, ...attributes }) => ({ name, path: childPath(folder, name), ...attributes }));
  const isReachable = ({ name, path }: { name: string; path: string }): boolean =>
    isPossibleName(name) && path.length <= MAX_FILE_PATH_LENGTH;
  for (const entry of found) if (!isReachable(entry)) onUnreachable(entry.path, undefined);
  return found.filter(isReachable);
}

async function listOrReport({ fileSystem, onUnreachable }: Walk, path: string): Promise<Entry[]> {
  try {
    return await fileSystem.list(path, { withLinkTargets: false });
  } catch (error) {
    onUnreachable(path, error);
    return [];
  }
}
