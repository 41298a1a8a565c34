import { isPossibleName, MAX_FILE_PATH_LENGTH } from '@tongtu/contract';
import type { HeldMemory } from '../../budget/session-memory.ts';
import { type Attributes, childPath, type Entry, type FileSystem, sizeInMemory } from '../file-system.ts';

export type TreeEntry = Attributes & { path: string; id?: bigint };
/** A folder is visited before its content, and again after it. */
export type Visit = { entry: TreeEntry; isAfterContent: boolean };

type Walk = {
  /** Its memory holds the lists until what is in their folders was visited. */
  fileSystem: Pick<FileSystem, 'list' | 'memory'>;
  /** A folder that cannot be listed, or an entry whose name cannot be part of a path. */
  onUnreachable: (path: string, error: unknown) => void;
  signal: AbortSignal;
};

/** A way to the target costs little when several folders are listed at a time. */
const LISTED_AHEAD = 8;

type HeldList = Disposable & { entries: readonly Entry[] };

/** Everything below an entry, which is itself the first. Links are not followed, so that no circle has no end. */
export async function* walkTree(walk: Walk, entry: TreeEntry): AsyncGenerator<Visit> {
  yield* visit(walk, entry, entry.type === 'folder' ? listOrReport(walk, entry.path) : undefined, []);
}

async function* visit(
  walk: Walk,
  entry: TreeEntry,
  list: Promise<HeldList> | undefined,
  above: readonly bigint[],
): AsyncGenerator<Visit> {
  walk.signal.throwIfAborted();
  yield { entry, isAfterContent: false };
  if (list === undefined) return;
  using listed = await list;
  const entries = reachable(walk, entry.path, listed.entries);
  const ids = entry.id === undefined ? above : [...above, entry.id];
  const isCircle = ({ id }: TreeEntry): boolean => id !== undefined && id !== 0n && ids.includes(id);
  const folders = entries.filter((child) => child.type === 'folder' && !isCircle(child)).values();
  const lists = new Map<TreeEntry, Promise<HeldList>>();
  const listAhead = (): void => {
    while (lists.size < LISTED_AHEAD) {
      const next = folders.next();
      if (next.done === true) return;
      const ahead = listOrReport(walk, next.value.path);
      ahead.catch(() => {}); // thrown when it is visited
      lists.set(next.value, ahead);
    }
  };
  try {
    for (const child of entries) {
      listAhead();
      const ahead = lists.get(child);
      lists.delete(child);
      yield* visit(walk, child, ahead, ids);
    }
  } finally {
    for (const ahead of lists.values()) ahead.then(release, () => {}); // what fails holds nothing
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

function release(list: HeldList): void {
  list[Symbol.dispose]();
}

async function listOrReport({ fileSystem, onUnreachable }: Walk, path: string): Promise<HeldList> {
  const held = fileSystem.memory.hold(0);
  try {
    return await listAndHold(fileSystem.list(path, { withLinkTargets: false }), held);
  } catch (error) {
    held[Symbol.dispose]();
    onUnreachable(path, error);
    return { entries: [], [Symbol.dispose]: () => {} };
  }
}

async function listAndHold(list: AsyncIterable<readonly Entry[]>, held: HeldMemory): Promise<HeldList> {
  const entries: Entry[] = [];
  for await (const part of list) {
    held.grow(part.reduce((sum, entry) => sum + sizeInMemory(entry), 0));
    for (const entry of part) entries.push(entry);
  }
  return { entries, [Symbol.dispose]: () => held[Symbol.dispose]() };
}
