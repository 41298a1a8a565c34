import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { findDeviceOfMapping } from '../mappings/index.ts';
import { isRecordOf, markRevoked } from './verification-store.ts';

/**
 * Ends a verification at once: relays hear of it and cut what it opened. What a deleted mapping has let in has ended with
 * it; of one that was ended before nobody is told again. Throws verification.not-found.
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
