import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type ComingProof, countProofs, countToldProofs, type ProofCounts } from './proof-count-store.ts';
import { MAX_PUBLISHED_PROOFS, proofLimits } from './proof-limits.ts';

/** Where relays are to know of one more proof of the account; to be locked where it is made. Throws verification.limit-reached. */
export async function assertMayBeTold(db: Db, ownerId: number): Promise<void> {
  if ((await countToldProofs(db, ownerId, MAX_PUBLISHED_PROOFS)) >= MAX_PUBLISHED_PROOFS)
    throw new AppError('verification.limit-reached');
}

/**
 * Throws gate.too-many-proofs. Those who come at the same moment do not see each other: a limit is passed by as many as
 * the database has connections, which is little.
 */
export async function assertRoomForProof(db: Db, coming: ComingProof, limits = proofLimits): Promise<void> {
  const counts = await countProofs(db, coming, limits.ofOwner + limits.ofDeviceWithDeleted);
  const isFull = (limit: keyof ProofCounts): boolean => counts[limit] >= limits[limit];
  const isRefused =
    isFull('ofLogin') ||
    (coming.grantedBy === 'owner'
      ? isFull('ofOwner')
      : isFull('ofDevice') || isFull('ofDeviceWithDeleted') || isFull('ofMapping') || isFull('ofVisitor'));
  if (isRefused) throw new AppError('gate.too-many-proofs');
}
