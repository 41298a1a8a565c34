import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { findDeviceOfMapping } from '../mappings/index.ts';
import { isRecordOf, markRevoked } from './verification-store.ts';

/**
 * Revokes a verification at once and notifies the relays, which close its streams. Nobody is notified if it was revoked
 * before, or if its mapping is deleted. Throws verification.not-found.
 */
export async function revokeVerification(db: Db, id: number, ownerId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const mappingId = await markRevoked(tx, id, ownerId);
    if (mappingId === undefined) {
      if (await isRecordOf(tx, id, ownerId)) return;
      throw new AppError('verification.not-found');
    }
    const deviceId = await findDeviceOfMapping(tx, mappingId);
    if (deviceId !== undefined) await announceAccessChange(tx, { deviceId, userId: ownerId });
  });
}
