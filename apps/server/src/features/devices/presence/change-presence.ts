import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../db/driver.ts';
import { announceDeviceList } from '../../live/index.ts';
import { lockDevicesForNoKeyUpdate, readShownPresence } from './device-presence-store.ts';

/**
 * Writes the presence of these devices, and notifies the owners of those whose shown state changes. The lock orders the
 * reports of two relays about one device: otherwise each could still see the other's connection, and neither would notify.
 */
export async function changePresence(tx: Db, deviceIds: number[], write: () => Promise<void>): Promise<void> {
  await lockDevicesForNoKeyUpdate(tx, deviceIds);
  const before = await readShownPresence(tx, deviceIds);
  await write();
  const after = await readShownPresence(tx, deviceIds);
  const changed = [...after].filter(([id, shown]) => !isDeepStrictEqual(shown, before.get(id)));
  await announceDeviceList(
    tx,
    changed.map(([, { userId }]) => userId),
  );
}

/** Calls `decide` while these devices' presence cannot change until the transaction ends. */
export async function withPresenceLocked<Result>(
  tx: Db,
  deviceIds: number[],
  decide: () => Promise<Result>,
): Promise<Result> {
  await lockDevicesForNoKeyUpdate(tx, deviceIds);
  return await decide();
}
