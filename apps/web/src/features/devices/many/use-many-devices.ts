import type { Device, ManyDevicesPatch, ManyDevicesReply } from '@tongtu/contract';
import { MAX_DEVICES_AT_ONCE } from '@tongtu/contract/limits';
import { devicesKey, useChange } from '../../../api/index.ts';

type Chosen = { devices: readonly Device[] };

/** What became of the chosen devices, with the names of those that were refused. */
export type ManyOutcome = { done: number; refused: { id: number; name: string; detail: string }[] };

/** Calls for so many devices at a time as one call takes, one call after another. */
async function inParts(
  devices: readonly Device[],
  send: (ids: number[]) => Promise<ManyDevicesReply>,
): Promise<ManyOutcome> {
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const outcome: ManyOutcome = { done: 0, refused: [] };
  for (let start = 0; start < devices.length; start += MAX_DEVICES_AT_ONCE) {
    const { done, refused } = await send(devices.slice(start, start + MAX_DEVICES_AT_ONCE).map(({ id }) => id));
    outcome.done += done.length;
    outcome.refused.push(...refused.map(({ id, detail }) => ({ id, detail, name: names.get(id) ?? String(id) })));
  }
  return outcome;
}

export function useUpdateDevices() {
  return useChange([devicesKey], (call, { devices, patch }: Chosen & { patch: Omit<ManyDevicesPatch, 'ids'> }) =>
    inParts(devices, (ids) => call('PATCH /api/user/routers/', { body: { ...patch, ids } })),
  );
}

export function useDeleteDevices() {
  return useChange([devicesKey], (call, { devices }: Chosen) =>
    inParts(devices, (ids) => call('POST /api/user/routers/delete/', { body: { ids } })),
  );
}
