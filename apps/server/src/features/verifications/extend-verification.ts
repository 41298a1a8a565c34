import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { findMappingForProof } from '../mappings/index.ts';
import { assertMayBeTold } from './assert-room-for-proof.ts';
import { isToldProof } from './proof-count-store.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { markExtended } from './verification-store.ts';

/**
 * Lets a verification count for so many hours from now, if that is longer than it does; one that has run out counts
 * again. Relays hear of it, so that the browser's cookie is as good as before. Throws verification.not-found,
 * verification.address-deleted, verification.revoked, verification.limit-reached.
 */
export async function extendVerification(
  db: Db,
  extension: { id: number; ownerId: number; hours: number },
): Promise<VerificationRow> {
  const { id, ownerId } = extension;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, ownerId);
    const before = await findVerification(tx, id, ownerId);
    if (before === undefined) throw new AppError('verification.not-found');
    // It is not deleted meanwhile: nothing counts without it.
    const mapping = await findMappingForProof(tx, before.mappingId);
    if (mapping === undefined) throw new AppError('verification.address-deleted');
    if (!(await isToldProof(tx, id))) await assertMayBeTold(tx, ownerId);
    if (!(await markExtended(tx, extension))) throw new AppError('verification.revoked');
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId: ownerId });
    return must(await findVerification(tx, id, ownerId), 'the verification just extended');
  });
}
