import type { FileEntry } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { changeSelection, noSelection } from './selection.ts';
import { firstSorting, nextSorting, shownEntries } from './shown-entries.ts';

const entry = (name: string, given: Partial<FileEntry> = {}): FileEntry => ({
  ...{ name, type: 'file', size: 1, modified_at: '2026-01-01T00:00:00.000Z' },
  ...given,
});
const namesOf = (entries: readonly FileEntry[]) => entries.map(({ name }) => name);

test('folders come first, and numbers in names count as numbers', () => {
  const entries = [
    entry('10.jpg'),
    entry('9.jpg'),
    entry('子', { type: 'folder' }),
    entry('链接', { type: 'link', link_target: 'folder' }),
  ];
  expect(namesOf(shownEntries(entries, '', firstSorting))).toEqual(['链接', '子', '9.jpg', '10.jpg']);
});

test('the largest and the newest come first at the first click, then the smallest and the oldest', () => {
  const entries = [entry('a', { size: 5 }), entry('b', { size: 50, modified_at: null }), entry('c', { size: null })];
  const bySize = nextSorting(firstSorting, 'size');
  expect(namesOf(shownEntries(entries, '', bySize))).toEqual(['b', 'a', 'c']);
  expect(namesOf(shownEntries(entries, '', nextSorting(bySize, 'size')))).toEqual(['c', 'a', 'b']);
  expect(namesOf(shownEntries(entries, '', nextSorting(firstSorting, 'modified')))).toEqual(['a', 'c', 'b']);
});

test('the filter looks for a part of the name, in capitals or not', () => {
  const entries = [entry('Photo.JPG'), entry('notes.txt')];
  expect(namesOf(shownEntries(entries, ' jpg ', firstSorting))).toEqual(['Photo.JPG']);
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
