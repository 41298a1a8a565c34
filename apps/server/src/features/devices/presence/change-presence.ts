import { isDeepStrictEqual } from 'node:util';
import type { OfflineReason } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { announceDeviceList } from '../../live/index.ts';
import { type ConnectionChange, insertConnections } from './connection-store.ts';
import { lockDevicesForNoKeyUpdate, readShownPresence, type ShownPresence } from './device-presence-store.ts';

/**
 * Writes the presence of these devices, notifies the owners of those whose shown state changes, and adds the change to the
 * device's history. The lock orders the reports of two relays about one device: otherwise each could still see the other's
 * connection, and neither would notify.
 */
export async function changePresence(tx: Db, deviceIds: number[], write: () => Promise<void>): Promise<void> {
  await lockDevicesForNoKeyUpdate(tx, deviceIds);
  const before = await readShownPresence(tx, deviceIds);
  await write();
  const after = await readShownPresence(tx, deviceIds);
  const changed = [...after].filter(([id, { shown }]) => !isDeepStrictEqual(shown, before.get(id)?.shown));
  await insertConnections(
    tx,
    changed.flatMap(([id, presence]) => connectionChanges(id, before.get(id), presence)),
  );
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

function connectionChanges(deviceId: number, before: ShownPresence | undefined, after: ShownPresence) {
  const { shown, changedAt } = after;
  const at = changedAt ?? new Date();
  const facts = { deviceId, publicIp: shown.publicIp ?? '', agentVersion: shown.agentVersion ?? '' };
  const change: ConnectionChange = {
    ...facts,
    // Only the address or the version is another one: the device connected again without having been offline.
    at: before?.shown.isOnline === true && shown.isOnline ? new Date() : at,
    online: shown.isOnline,
    // The column contains only values that were parsed as OfflineReason.
    offlineReason: shown.offlineReason as OfflineReason | null,
  };
  const lostAt = before?.lostAt ?? null;
  if (lostAt === null || !shown.isOnline) return [change];
  // The relay was silent for a while. A connection that is older than that has never ended.
  if (at <= lostAt) return [];
  return [{ ...change, at: lostAt, online: false, offlineReason: 'relay_lost' } satisfies ConnectionChange, change];
}
