import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { assertConfirmed, type Caller } from '../../../http/session.ts';
import { announceDeviceChanges } from '../../live/index.ts';
import { haveOpenMapping } from '../../mappings/index.ts';
import type { CommonChanges } from '../device-store.ts';
import { assertMayRemoveDevices, removeDevice } from '../remove-device.ts';
import { listOwnDeviceIds, lockOwnDevicesForNoKeyUpdate, updateDevices } from './many-devices-store.ts';

type Refusal = { id: number; code: 'device.not-found' | 'device.suspended' };

/** What became of each device. */
export type Outcome = { done: number[]; refused: Refusal[] };

type Chosen = { userId: number; ids: readonly number[] };

/**
 * Sets all of the user's devices to the same, in one transaction. Those that cannot be changed are named. Throws
 * session.confirm-required where it switches on a device whose mappings others may visit.
 */
export async function changeDevices(
  db: Db,
  { ids, ...caller }: Chosen & Caller,
  changes: CommonChanges,
): Promise<Outcome> {
  const { userId } = caller;
  return await db.transaction().execute(async (tx) => {
    const own = await lockOwnDevicesForNoKeyUpdate(tx, userId, ids);
    const isRefused = ({ isSuspended }: { isSuspended: boolean }) => changes.enabled === true && isSuspended;
    const done = own.filter((device) => !isRefused(device)).map(({ id }) => id);
    const refused = [
      ...missing(ids, own),
      ...own.filter(isRefused).map(({ id }): Refusal => ({ id, code: 'device.suspended' })),
    ];
    const isOff = own.filter(({ id, enabled }) => !enabled && done.includes(id)).map(({ id }) => id);
    if (!caller.isConfirmed && changes.enabled === true && (await haveOpenMapping(tx, isOff))) assertConfirmed(caller);
    if (done.length === 0 || Object.keys(changes).length === 0) return { done, refused };
    await updateDevices(tx, done, changes);
    await announceDeviceChanges(tx, { deviceIds: done, userId });
    return { done, refused };
  });
}

function missing(ids: readonly number[], own: readonly { id: number }[]): Refusal[] {
  const known = new Set(own.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !known.has(id)).map((id) => ({ id, code: 'device.not-found' }));
}

/**
 * Deletes the user's devices with their mappings. Each is a transaction of its own, so that no other change of the account
 * waits for all of them. What a second call repeats is refused as `device.not-found`. Throws what assertMayRemoveDevices throws,
 * before the first one.
 */
export async function removeDevices(db: Db, { ids, ...caller }: Chosen & Caller): Promise<Outcome> {
  const own = await listOwnDeviceIds(db, caller.userId, ids);
  await assertMayRemoveDevices(db, caller, own);
  const done: number[] = [];
  const refused: Refusal[] = [];
  for (const id of new Set(ids)) {
    try {
      await removeDevice(db, { ...caller, id });
      done.push(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'device.not-found') throw error;
      refused.push({ id, code: error.code });
    }
  }
  return { done, refused };
}
