import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countToldProofs } from './proof-count-store.ts';
import { MAX_TOLD_PROOFS } from './proof-limits.ts';

/** Where relays are to know of one more proof of the account; to be locked where it is made. Throws verification.limit-reached. */
export async function assertMayBeTold(db: Db, ownerId: number): Promise<void> {
  if ((await countToldProofs(db, ownerId, MAX_TOLD_PROOFS)) >= MAX_TOLD_PROOFS)
    throw new AppError('verification.limit-reached');
}
