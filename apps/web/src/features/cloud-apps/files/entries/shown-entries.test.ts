import type { FileEntry } from '@tongtu/contract';
import { expect, test, vi } from 'vitest';
import { changeSelection, noSelection } from './selection.ts';
import { firstSorting, inNameOrder, nextSorting, shownEntries } from './shown-entries.ts';

const entry = (name: string, given: Partial<FileEntry> = {}): FileEntry => ({
  ...{ name, type: 'file', size: 1, modified_at: '2026-01-01T00:00:00.000Z' },
  ...given,
});
const shown: typeof shownEntries = (entries, filter, sorting) => shownEntries(inNameOrder(entries), filter, sorting);
const namesOf = (entries: readonly FileEntry[]) => entries.map(({ name }) => name);

test('folders come first, and numbers in names count as numbers', () => {
  const entries = [
    entry('10.jpg'),
    entry('9.jpg'),
    entry('子', { type: 'folder' }),
    entry('链接', { type: 'link', link_target: 'folder' }),
  ];
  expect(namesOf(shown(entries, '', firstSorting))).toEqual(['链接', '子', '9.jpg', '10.jpg']);
});

test('the largest and the newest come first at the first click, then the smallest and the oldest', () => {
  const entries = [entry('a', { size: 5 }), entry('b', { size: 50, modified_at: null }), entry('c', { size: null })];
  const bySize = nextSorting(firstSorting, 'size');
  expect(namesOf(shown(entries, '', bySize))).toEqual(['b', 'a', 'c']);
  expect(namesOf(shown(entries, '', nextSorting(bySize, 'size')))).toEqual(['c', 'a', 'b']);
  expect(namesOf(shown(entries, '', nextSorting(firstSorting, 'modified')))).toEqual(['a', 'c', 'b']);
});

test('what is the same in a column stays in the order of names, however often it is sorted', () => {
  const entries = ['10', '乙', '9', '甲'].map((name) => entry(name));
  const bySize = nextSorting(firstSorting, 'size');
  const order = namesOf(shown(entries, '', firstSorting));
  expect(namesOf(shown(entries, '', bySize))).toEqual(order);
  expect(namesOf(shown(entries, '', nextSorting(bySize, 'size')))).toEqual(order);
  expect(namesOf(shown(entries, '', nextSorting(firstSorting, 'name')))).toEqual(order.toReversed());
});

test('to sort and to filter a list again compares no names', () => {
  const ordered = inNameOrder(Array.from({ length: 200 }, (_, index) => entry(String(index))));
  const compare = vi.spyOn(Intl.Collator.prototype, 'compare', 'get');
  for (const column of ['name', 'size', 'modified'] as const)
    shownEntries(ordered, '1', nextSorting(firstSorting, column));
  expect(compare).not.toHaveBeenCalled();
  compare.mockRestore();
});

test('the filter looks for a part of the name, in capitals or not', () => {
  const entries = [entry('Photo.JPG'), entry('notes.txt')];
  expect(namesOf(shown(entries, ' jpg ', firstSorting))).toEqual(['Photo.JPG']);
});

test('a range goes from where it began; what was deleted is not selected any more', () => {
  const names = ['a', 'b', 'c', 'd'];
  const begun = changeSelection(noSelection, { type: 'only', name: 'c' }, names);
  const up = changeSelection(begun, { type: 'range', name: 'a' }, names);
  expect([...up.selected]).toEqual(['a', 'b', 'c']);
  const down = changeSelection(up, { type: 'range', name: 'd' }, names);
  expect([...down.selected]).toEqual(['c', 'd']);
  expect([...changeSelection(down, { type: 'keep' }, ['a', 'd']).selected]).toEqual(['d']);
});
