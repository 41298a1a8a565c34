import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import { announceAccessChange } from '../live/index.ts';
import { endMappingsOfDevice, haveProtection } from '../mappings/index.ts';
import { deleteDevice, haveProtectedApp, lockOwnDeviceForUpdate } from './device-store.ts';

/**
 * Deletes the user's device with its mappings; its relays end the connection. Verifications stay as records. Throws
 * device.not-found, and what assertMayRemoveDevices throws.
 */
export async function removeDevice(db: Db, device: Caller & { id: number }): Promise<void> {
  const { id: deviceId, userId } = device;
  await db.transaction().execute(async (tx) => {
    // The deletion of an account also locks the account first.
    await lockUserForNoKeyUpdate(tx, userId);
    if (!(await lockOwnDeviceForUpdate(tx, device))) throw new AppError('device.not-found');
    await assertMayRemoveDevices(tx, device, [deviceId]);
    await endMappingsOfDevice(tx, deviceId);
    await deleteDevice(tx, device);
    await announceAccessChange(tx, { deviceId, userId });
  });
}

/**
 * The deletion of devices, all of the caller, needs a confirmation where that of one of their mappings or apps does. Throws
 * session.confirm-required.
 */
export async function assertMayRemoveDevices(tx: Db, caller: Caller, deviceIds: readonly number[]): Promise<void> {
  if (caller.isConfirmed) return;
  if ((await haveProtection(tx, { deviceIds })) || (await haveProtectedApp(tx, deviceIds))) assertConfirmed(caller);
}
