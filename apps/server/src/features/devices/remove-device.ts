import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { endMappingsOfDevice } from '../mappings/index.ts';
import { deleteDevice, lockOwnDeviceForUpdate } from './device-store.ts';

/**
 * Deletes one's own device with its mappings; its relay ends the connection. The records of who was let in stay. Throws
 * device.not-found.
 */
export async function removeDevice(db: Db, device: { id: number; userId: number }): Promise<void> {
  const { id: deviceId, userId } = device;
  await db.transaction().execute(async (tx) => {
    // Locked first, as by the deletion of the account.
    await lockUserForNoKeyUpdate(tx, userId);
    if (!(await lockOwnDeviceForUpdate(tx, device))) throw new AppError('device.not-found');
    await endMappingsOfDevice(tx, deviceId);
    await deleteDevice(tx, device);
    await announceAccessChange(tx, { deviceId, userId });
  });
}
