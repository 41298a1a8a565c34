import { useState } from 'react';

const storageKey = 'tongtu.folded-groups';

function readStored(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return []; // without storage, or with something else in it, all groups are open
  }
}

function store(names: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(names));
  } catch {
    return; // the choice lasts until a reload
  }
}

/** Which groups of devices are folded. The browser stores it. */
export function useFoldedGroups() {
  const [folded, setFolded] = useState(readStored);
  function foldGroup(name: string, isFolded: boolean) {
    const next = isFolded ? [...folded, name] : folded.filter((other) => other !== name);
    store(next);
    setFolded(next);
  }
  return { folded, foldGroup };
}
