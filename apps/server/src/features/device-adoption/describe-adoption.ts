import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type DeviceRow, deviceStateOf, listAllDevices } from '../devices/index.ts';
import { countWhatMoves, listMacs, type MovedCounts } from './adoption-store.ts';
import { type ComparedDevice, findLikelySuccessors, type Likeness, reasonsOf, weightOf } from './likeness.ts';

/** Devices of the account that are offline, each with a later one that looks like it. */
export async function listSuggestions(db: Db, userId: number, wallClockMs: number): Promise<Likeness[]> {
  const devices = (await listAllDevices(db, userId)).filter((device) => !device.isManagedByFrpc);
  return findLikelySuccessors(await listCompared(db, devices), wallClockMs);
}

export type Candidate = { device: DeviceRow; isOnline: boolean; reasons: Likeness['reasons'] };

/** What would move from the user's device, and where to. Throws device.not-found. */
export async function previewAdoption(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<{ lost: DeviceRow; counts: MovedCounts; candidates: Candidate[] }> {
  const devices = await listAllDevices(db, userId);
  const lost = devices.find((device) => device.id === id);
  if (lost === undefined) throw new AppError('device.not-found');
  const compared = new Map((await listCompared(db, devices)).map((device) => [device.id, device]));
  const likenessTo = (device: DeviceRow): Likeness['reasons'] => {
    const [first, second] = [compared.get(id), compared.get(device.id)];
    return first === undefined || second === undefined ? [] : reasonsOf(first, second);
  };
  const candidates = devices
    .filter((device) => device.id !== id && device.serverId === lost.serverId && !device.isSuspended)
    // A frpc.toml keeps its device: another frpc with the same file is the same device.
    .filter((device) => !device.isManagedByFrpc && !lost.isManagedByFrpc)
    .map((device) => ({ device, isOnline: isOnline(device), reasons: likenessTo(device) }))
    .toSorted(
      (first, second) => weightOf(second) - weightOf(first) || Number(second.isOnline) - Number(first.isOnline),
    );
  return { lost, counts: await countWhatMoves(db, id), candidates };
}

/** Whether a relay has the device now, also while its owner has switched it off. */
export function isOnline(device: DeviceRow): boolean {
  return device.presenceOnline === true && device.relayAlive === true;
}

async function listCompared(db: Db, devices: readonly DeviceRow[]): Promise<ComparedDevice[]> {
  const macs = Map.groupBy(
    await listMacs(
      db,
      devices.map(({ id }) => id),
    ),
    ({ deviceId }) => deviceId,
  );
  return devices.map((device) => {
    const seen = macs.get(device.id) ?? [];
    return {
      ...{ id: device.id, name: device.name, serverId: device.serverId, isSuspended: device.isSuspended },
      ...{ isOnline: isOnline(device), createdAt: device.createdAt },
      lastSeen: lastSeenOf(device),
      publicIp: device.publicIp ?? '',
      platform: device.platform ?? '',
      ownMacs: seen.filter(({ isSelf }) => isSelf).map(({ mac }) => mac),
      lanMacs: seen.filter(({ isSelf }) => !isSelf).map(({ mac }) => mac),
    };
  });
}

function lastSeenOf(device: DeviceRow): Date | undefined {
  const { state, since } = deviceStateOf({ ...device, enabled: true });
  return state === 'offline' ? (since ?? undefined) : undefined;
}
