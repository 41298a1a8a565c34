import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { deleteMapping } from './mapping-store.ts';

/** Takes the public name away. Throws mapping.not-found. */
export async function removeMapping(db: Db, mapping: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deviceId = await deleteMapping(tx, mapping.id, mapping.userId);
    if (deviceId === undefined) throw new AppError('mapping.not-found');
    await announceDeviceChange(tx, { deviceId, userId: mapping.userId });
  });
}
