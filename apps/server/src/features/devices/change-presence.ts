import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/driver.ts';
import { announceDeviceList } from '../live/index.ts';
import { lockPresence, readShownPresence } from './device-presence-store.ts';

/**
 * Writes where these devices are and tells the owners of those that are shown differently afterwards. What two relays tell
 * of one device follows one after the other: else each might see the other's connection still there, and nobody tell of
 * the end.
 */
export async function changePresence(tx: Db, deviceIds: number[], write: () => Promise<void>): Promise<void> {
  await lockPresence(tx, deviceIds);
  const before = await readShownPresence(tx, deviceIds);
  await write();
  const after = await readShownPresence(tx, deviceIds);
  const changed = [...after].filter(([id, shown]) => !isDeepStrictEqual(shown, before.get(id)));
  await announceDeviceList(
    tx,
    changed.map(([, { userId }]) => userId),
  );
}

/** Decides by where these devices are: no relay changes that until the transaction ends. */
export async function decideByPresence<Result>(
  tx: Db,
  deviceIds: number[],
  decide: () => Promise<Result>,
): Promise<Result> {
  await lockPresence(tx, deviceIds);
  return await decide();
}
