import { useCallback, useState } from 'react';

const keyOf = (search: string, deviceId: number) => `${deviceId} ${search}`;

/** Which devices are expanded. A search expands the devices with matches, so each search has its own choices. */
export function useFolding(search: string) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const fold = useCallback(
    (deviceId: number, isUnfolded: boolean) =>
      setChoices((before) => new Map(before).set(keyOf(search, deviceId), isUnfolded)),
    [search],
  );
  const isUnfolded = (deviceId: number, isByDefault: boolean) => choices.get(keyOf(search, deviceId)) ?? isByDefault;
  return { isUnfolded, fold };
}
