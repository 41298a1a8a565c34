import { devicesKey, listAllDevices, useChange } from '../../../api/index.ts';

/** The entries when the user began to change them, and what they are to be. */
type AllowListChange = { opened: readonly string[]; wanted: readonly string[] };

/**
 * Adds and removes what the user has added and removed. The call replaces the whole list, so this reads it first: what
 * another tab or phone has changed meanwhile stays. Otherwise an address that was removed there would pass again.
 */
export function useSaveAllowList(deviceId: number) {
  return useChange([devicesKey], async (call, change: AllowListChange) => {
    const device = (await listAllDevices(call)).find(({ id }) => id === deviceId);
    const allowList = mergeAllowList(device?.allow_list ?? change.opened, change);
    return await call('PATCH /api/user/routers/{id}/', { params: { id: deviceId }, body: { allow_list: allowList } });
  });
}

/** The typed entries come first and in their order, because the server names an invalid one by its place. */
export function mergeAllowList(present: readonly string[], { opened, wanted }: AllowListChange): string[] {
  const kept = wanted.filter((entry) => !opened.includes(entry) || present.includes(entry));
  const addedElsewhere = present.filter((entry) => !opened.includes(entry) && !kept.includes(entry));
  return [...kept, ...addedElsewhere];
}
