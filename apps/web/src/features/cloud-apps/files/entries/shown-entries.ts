import type { FileEntry } from '@tongtu/contract';
import type { ListedEntry } from '../listed-entry.ts';

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

/** The name as the user reads it. */
export function textOf({ name, text = name }: ListedEntry): string {
  return text;
}

/** Sorted by name. To compare names costs far more than numbers: a list is to be sorted so once, not at each click. */
export function inNameOrder(entries: readonly ListedEntry[]): ListedEntry[] {
  return entries.toSorted((left, right) => byName.compare(textOf(left), textOf(right)));
}

/** Of entries in the order of their names, those whose name has the text, folders first. */
export function shownEntries(ordered: readonly ListedEntry[], filter: string, sorting: Sorting): ListedEntry[] {
  const wanted = filter.trim().toLowerCase();
  const found = wanted === '' ? ordered : ordered.filter((entry) => textOf(entry).toLowerCase().includes(wanted));
  return [...inColumnOrder(found.filter(isFolder), sorting), ...inColumnOrder(found.filter(isNoFolder), sorting)];
}

/** Those that are the same in the column stay in the order of their names. */
function inColumnOrder(ordered: readonly ListedEntry[], { column, isDescending }: Sorting): ListedEntry[] {
  if (column === 'name') return isDescending ? ordered.toReversed() : [...ordered];
  const sign = isDescending ? -1 : 1;
  return ordered
    .map((entry) => ({ entry, value: column === 'size' ? (entry.size ?? -1) : timeOf(entry) }))
    .sort((left, right) => sign * (left.value - right.value))
    .map(({ entry }) => entry);
}

function isNoFolder(entry: FileEntry): boolean {
  return !isFolder(entry);
}

function timeOf({ modified_at: at }: FileEntry): number {
  return at === null ? 0 : Date.parse(at);
}

/** What a click on a column's head leads to: the newest and the largest are what one looks for first. */
export function nextSorting(before: Sorting, column: SortColumn): Sorting {
  if (before.column === column) return { column, isDescending: !before.isDescending };
  return { column, isDescending: column !== 'name' };
}
