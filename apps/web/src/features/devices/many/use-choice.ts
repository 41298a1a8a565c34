import type { Device } from '@tongtu/contract';
import { useCallback, useMemo, useState } from 'react';

export type Choice = {
  /** Undefined while the user does not choose devices. */
  ids: ReadonlySet<number> | undefined;
  start: () => void;
  stop: () => void;
  /** `isRange`: also all devices between the last chosen one and this, in the order of the list. */
  choose: (id: number, how: { isChosen: boolean; isRange: boolean }, shownIds: readonly number[]) => void;
  chooseAll: (ids: readonly number[], isChosen: boolean) => void;
};

const none: ReadonlySet<number> = new Set();

function idsBetween(shownIds: readonly number[], from: number | undefined, to: number): readonly number[] {
  const start = from === undefined ? -1 : shownIds.indexOf(from);
  const end = shownIds.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return shownIds.slice(Math.min(start, end), Math.max(start, end) + 1);
}

function changed(before: ReadonlySet<number>, ids: readonly number[], isChosen: boolean): ReadonlySet<number> {
  const after = new Set(before);
  for (const id of ids) {
    if (isChosen) after.add(id);
    else after.delete(id);
  }
  return after;
}

/** Which devices are chosen for a change of several. Devices that are deleted meanwhile are not chosen any more. */
export function useChoice(devices: readonly Device[]): Choice {
  const [kept, setKept] = useState<ReadonlySet<number>>();
  const [anchor, setAnchor] = useState<number>();
  const ids = useMemo(() => {
    if (kept === undefined) return undefined;
    return new Set(devices.filter(({ id }) => kept.has(id)).map(({ id }) => id));
  }, [kept, devices]);
  const chooseAll = useCallback(
    (some: readonly number[], isChosen: boolean) => setKept((before) => changed(before ?? none, some, isChosen)),
    [],
  );
  return {
    ids,
    start: () => setKept(none),
    stop: () => {
      setKept(undefined);
      setAnchor(undefined);
    },
    choose: (id, { isChosen, isRange }, shownIds) => {
      chooseAll(isRange ? idsBetween(shownIds, anchor, id) : [id], isChosen);
      setAnchor(id);
    },
    chooseAll,
  };
}
