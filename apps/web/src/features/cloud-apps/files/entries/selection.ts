/** Which entries are selected, and on which one the keyboard stands, by their names. */
export type Selection = {
  selected: ReadonlySet<string>;
  current: string | undefined;
  /** Where a range begins. */
  anchor: string | undefined;
};

export const noSelection: Selection = { selected: new Set(), current: undefined, anchor: undefined };

export type SelectionChange =
  | { type: 'only'; name: string }
  | { type: 'toggle'; name: string }
  | { type: 'range'; name: string }
  | { type: 'all' }
  | { type: 'none' }
  /** After the folder has changed: what was deleted is not selected any more. */
  | { type: 'keep' };

/** `names`: the usable ones in their order. */
export function changeSelection(before: Selection, change: SelectionChange, names: readonly string[]): Selection {
  switch (change.type) {
    case 'only':
      return { selected: new Set([change.name]), current: change.name, anchor: change.name };
    case 'toggle': {
      const selected = new Set(before.selected);
      if (!selected.delete(change.name)) selected.add(change.name);
      return { selected, current: change.name, anchor: change.name };
    }
    case 'range': {
      const from = names.indexOf(before.anchor ?? change.name);
      const to = names.indexOf(change.name);
      const range = names.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1);
      return { selected: new Set(range), current: change.name, anchor: before.anchor ?? change.name };
    }
    case 'all':
      return { ...before, selected: new Set(names) };
    case 'none':
      return { ...before, selected: new Set() };
    case 'keep': {
      const there = new Set(names);
      const selected = new Set([...before.selected].filter((name) => there.has(name)));
      return selected.size === before.selected.size ? before : { ...before, selected };
    }
  }
}
