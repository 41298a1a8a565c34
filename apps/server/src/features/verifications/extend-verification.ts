import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { markExtended } from './verification-store.ts';

/**
 * Lets a verification count for so many hours from now, if that is longer than it does; one that has run out counts
 * again. Relays hear of it, so that the browser's cookie is as good as before. Throws verification.not-found,
 * verification.revoked.
 */
export async function extendVerification(
  db: Db,
  extension: { id: number; ownerId: number; hours: number },
): Promise<VerificationRow> {
  const { id, ownerId } = extension;
  return await db.transaction().execute(async (tx) => {
    const deviceId = await markExtended(tx, extension);
    const row = await findVerification(tx, id, ownerId);
    if (row === undefined) throw new AppError('verification.not-found');
    if (deviceId === undefined) throw new AppError('verification.revoked');
    await announceAccessChange(tx, { deviceId, userId: ownerId });
    return row;
  });
}
