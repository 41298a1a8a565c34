import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { markRevoked } from './verification-store.ts';

/** Ends a verification at once: relays hear of it and cut what it opened. Throws verification.not-found. */
export async function revokeVerification(db: Db, id: number, ownerId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deviceId = await markRevoked(tx, id, ownerId);
    if (deviceId === undefined) throw new AppError('verification.not-found');
    await announceAccessChange(tx, { deviceId, userId: ownerId });
  });
}
