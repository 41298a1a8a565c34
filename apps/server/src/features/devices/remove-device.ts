import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { lockDevice, releasePrefixes } from '../mappings/index.ts';
import { deleteDevice } from './device-store.ts';

/** Deletes one's own device with its mappings; its relay ends the connection. Throws device.not-found. */
export async function removeDevice(db: Db, device: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Locked: nobody adds a mapping to it meanwhile.
    const isThere = await lockDevice(tx, { deviceId: device.id, userId: device.userId });
    if (isThere) await releasePrefixes(tx, { deviceId: device.id });
    if (!(await deleteDevice(tx, device))) throw new AppError('device.not-found');
    await announceDeviceChange(tx, { deviceId: device.id, userId: device.userId });
  });
}
