import type { FileEntry } from '@tongtu/contract';

export type SortColumn = 'name' | 'size' | 'modified';
export type Sorting = { column: SortColumn; isDescending: boolean };

export const firstSorting: Sorting = { column: 'name', isDescending: false };

const byName = new Intl.Collator('zh-CN', { numeric: true, sensitivity: 'base' });

export function isFolder({ type, link_target: target }: FileEntry): boolean {
  return type === 'folder' || (type === 'link' && target === 'folder');
}

export function isFile({ type, link_target: target }: FileEntry): boolean {
  return type === 'file' || (type === 'link' && target === 'file');
}

export function isUsable(entry: FileEntry): boolean {
  return entry.usable !== false;
}

/** The entries whose name has the text, folders first. */
export function shownEntries(entries: readonly FileEntry[], filter: string, sorting: Sorting): FileEntry[] {
  const wanted = filter.trim().toLowerCase();
  const found = wanted === '' ? [...entries] : entries.filter(({ name }) => name.toLowerCase().includes(wanted));
  return found.sort((left, right) => {
    const folders = Number(isFolder(right)) - Number(isFolder(left));
    return folders === 0 ? inOrder(left, right, sorting) : folders;
  });
}

function inOrder(left: FileEntry, right: FileEntry, { column, isDescending }: Sorting): number {
  const first = isDescending ? right : left;
  const second = isDescending ? left : right;
  return compareBy(column, first, second) || byName.compare(left.name, right.name);
}

function compareBy(column: SortColumn, left: FileEntry, right: FileEntry): number {
  switch (column) {
    case 'name':
      return byName.compare(left.name, right.name);
    case 'size':
      return (left.size ?? -1) - (right.size ?? -1);
    case 'modified':
      return timeOf(left) - timeOf(right);
  }
}

function timeOf({ modified_at: at }: FileEntry): number {
  return at === null ? 0 : Date.parse(at);
}

/** What a click on a column's head leads to: the newest and the largest are what one looks for first. */
export function nextSorting(before: Sorting, column: SortColumn): Sorting {
  if (before.column === column) return { column, isDescending: !before.isDescending };
  return { column, isDescending: column !== 'name' };
}
