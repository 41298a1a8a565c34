import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockTickets } from '../../db/lock-tickets.ts';
import { lockUser } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import {
  insertGoneMappings,
  lockDeviceWhole,
  lockMappingsOf,
  nameGoneDevice,
  releasePrefixes,
} from '../mappings/index.ts';
import { deleteDevice } from './device-store.ts';

/**
 * Deletes one's own device with its mappings; its relay ends the connection. The records of who was let in stay. Throws
 * device.not-found.
 */
export async function removeDevice(db: Db, device: { id: number; userId: number }): Promise<void> {
  const { id: deviceId, userId } = device;
  await db.transaction().execute(async (tx) => {
    // Before all else, as whoever deletes the account; then from above to below, as a visitor who comes in.
    await lockUser(tx, userId);
    if (!(await lockDeviceWhole(tx, { deviceId, userId }))) throw new AppError('device.not-found');
    await lockMappingsOf(tx, { deviceId });
    await lockTickets(tx, { deviceId });
    await releasePrefixes(tx, { deviceId });
    await nameGoneDevice(tx, deviceId);
    await insertGoneMappings(tx, { deviceId });
    await deleteDevice(tx, device);
    await announceAccessChange(tx, { deviceId, userId });
  });
}
