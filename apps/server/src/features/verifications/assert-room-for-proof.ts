import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type RequestedProof, countProofs, countPublishedProofs, type ProofCounts } from './proof-count-store.ts';
import { MAX_PUBLISHED_PROOFS, proofLimits } from './proof-limits.ts';

/** Checks the account's limit of published proofs. The caller has locked the account. Throws verification.limit-reached. */
export async function assertMayPublishProof(db: Db, ownerId: number): Promise<void> {
  if ((await countPublishedProofs(db, ownerId, MAX_PUBLISHED_PROOFS)) >= MAX_PUBLISHED_PROOFS)
    throw new AppError('verification.limit-reached');
}

/**
 * Throws gate.too-many-proofs. Concurrent transactions do not see each other's proofs, so a limit may be exceeded by the
 * number of database connections, which is small.
 */
export async function assertRoomForProof(db: Db, requested: RequestedProof, limits = proofLimits): Promise<void> {
  const counts = await countProofs(db, requested, limits.ofOwner + limits.ofDeviceWithDeleted);
  const isFull = (limit: keyof ProofCounts): boolean => counts[limit] >= limits[limit];
  const isRefused =
    isFull('ofLogin') ||
    (requested.grantedBy === 'owner'
      ? isFull('ofOwner')
      : isFull('ofDevice') || isFull('ofDeviceWithDeleted') || isFull('ofMapping') || isFull('ofVisitor'));
  if (isRefused) throw new AppError('gate.too-many-proofs');
}
