import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { findMappingForProof } from '../mappings/index.ts';
import { assertMayPublishProof } from './assert-room-for-proof.ts';
import { isPublishedProof } from './proof-count-store.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { markExtended } from './verification-store.ts';

/**
 * Extends a verification to `hours` from now, unless it already ends later. An expired one becomes valid again. Relays are
 * notified, so the browser's cookie stays valid. Throws verification.not-found, verification.address-deleted,
 * verification.revoked, verification.limit-reached.
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
    // Locks the mapping, because the verification is void without it.
    const mapping = await findMappingForProof(tx, before.mappingId);
    if (mapping === undefined) throw new AppError('verification.address-deleted');
    if (!(await isPublishedProof(tx, id))) await assertMayPublishProof(tx, ownerId);
    if (!(await markExtended(tx, extension))) throw new AppError('verification.revoked');
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId: ownerId });
    return must(await findVerification(tx, id, ownerId), 'the verification just extended');
  });
}
