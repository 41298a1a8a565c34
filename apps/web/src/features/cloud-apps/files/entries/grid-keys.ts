import type { FileEntry } from '@tongtu/contract';
import type { KeyboardEvent } from 'react';
import type { EntryActions } from './entry-actions.ts';
import type { Selection, SelectionChange } from './selection.ts';
import { isUsable } from './shown-entries.ts';

type Grid = {
  shown: readonly FileEntry[];
  selection: Selection;
  select: (change: SelectionChange) => void;
  actions: EntryActions;
  pageRows: number;
  /** Makes the row visible. */
  onCurrent: (index: number) => void;
};

/** What a key does in the list of entries. */
export function pressKey(event: KeyboardEvent, grid: Grid): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey || (isCommand && event.key.toLowerCase() !== 'a')) return;
  const run = isCommand ? () => grid.select({ type: 'all' }) : (moveOf(event, grid) ?? actionOf(event, grid));
  if (!run) return;
  event.preventDefault();
  run();
}

function moveOf({ key, shiftKey }: KeyboardEvent, grid: Grid): (() => void) | undefined {
  const { shown, selection, pageRows } = grid;
  const at = shown.findIndex(({ name }) => name === selection.current);
  const last = shown.length - 1;
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at === -1 ? last : at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined || last < 0) return undefined;
  return () => moveTo(Math.min(Math.max(target, 0), last), shiftKey, at, grid);
}

/** Entries with a name that cannot be used are passed over. */
function moveTo(target: number, isRange: boolean, from: number, { shown, select, onCurrent }: Grid): void {
  const step = target < from ? -1 : 1;
  let index = target;
  while (shown[index]?.usable === false) index += step;
  const entry = shown[index];
  if (!entry) return;
  select({ type: isRange ? 'range' : 'only', name: entry.name });
  onCurrent(index);
}

function actionOf({ key }: KeyboardEvent, { shown, selection, select, actions }: Grid): (() => void) | undefined {
  if (key === 'Backspace') return actions.leave;
  const current = shown.find((entry) => entry.name === selection.current && isUsable(entry));
  const selected = shown.filter(({ name }) => selection.selected.has(name));
  const targets = selected.length > 0 || !current ? selected : [current];
  const [first] = targets;
  switch (key) {
    case 'Enter':
      return current && (() => actions.open(current));
    case ' ':
      return current && (() => select({ type: 'toggle', name: current.name }));
    case 'F2':
      return first && targets.length === 1 ? () => actions.rename(first) : undefined;
    case 'Delete':
      return first && (() => actions.remove(targets));
    case 'Escape':
      return selected.length > 0 ? () => select({ type: 'none' }) : undefined;
    default:
      return undefined;
  }
}
