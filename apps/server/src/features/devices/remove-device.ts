import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { endMappingsOfDevice } from '../mappings/index.ts';
import { deleteDevice, lockOwnDeviceForUpdate } from './device-store.ts';

/**
 * Deletes the user's device with its mappings; its relays end the connection. Verifications stay as records. Throws
 * device.not-found.
 */
export async function removeDevice(db: Db, device: { id: number; userId: number }): Promise<void> {
  const { id: deviceId, userId } = device;
  await db.transaction().execute(async (tx) => {
    // The deletion of an account also locks the account first.
    await lockUserForNoKeyUpdate(tx, userId);
    if (!(await lockOwnDeviceForUpdate(tx, device))) throw new AppError('device.not-found');
    await endMappingsOfDevice(tx, deviceId);
    await deleteDevice(tx, device);
    await announceAccessChange(tx, { deviceId, userId });
  });
}
