import { useCallback, useMemo, useState } from 'react';
import type { ListedEntry } from '../listed-entry.ts';
import { changeSelection, noSelection, type Selection, type SelectionChange } from './selection.ts';
import { firstSorting, inNameOrder, isUsable, nextSorting, shownEntries, type SortColumn } from './shown-entries.ts';

/** How the entries of a folder are sorted and filtered, and which are selected. Another folder begins anew. */
export function useEntries(folder: string | undefined, entries: readonly ListedEntry[], from: string | undefined) {
  const [sorting, setSorting] = useState(firstSorting);
  const [inFolder, setInFolder] = useState({ folder, filter: '', selection: startAt(from) });
  if (inFolder.folder !== folder) setInFolder({ folder, filter: '', selection: startAt(from) });
  const { filter } = inFolder;
  const ordered = useMemo(() => inNameOrder(entries), [entries]);
  const shown = useMemo(() => shownEntries(ordered, filter, sorting), [ordered, filter, sorting]);
  const names = useMemo(() => shown.filter(isUsable).map(({ name }) => name), [shown]);
  // What was deleted or filtered out is not selected any more.
  const selection = useMemo(
    () => changeSelection(inFolder.selection, { type: 'keep' }, names),
    [inFolder.selection, names],
  );
  const select = useCallback(
    (change: SelectionChange) =>
      setInFolder((before) => ({ ...before, selection: changeSelection(before.selection, change, names) })),
    [names],
  );
  return {
    shown,
    selection,
    select,
    sorting,
    sortBy: (column: SortColumn) => setSorting((before) => nextSorting(before, column)),
    filter,
    setFilter: (text: string) => setInFolder((before) => ({ ...before, filter: text })),
  };
}

function startAt(name: string | undefined): Selection {
  return { ...noSelection, current: name, anchor: name };
}
