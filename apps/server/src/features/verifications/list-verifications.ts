import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMapping } from '../mappings/index.ts';
import { countVerifications, listVerificationRows, type VerificationRow } from './verification-store.ts';

/** One page of who was let in to the owner's mappings, or to one of them. Throws mapping.not-found. */
export async function listVerifications(
  db: Db,
  ownerId: number,
  { mapping: mappingId, ...page }: { mapping?: number | undefined; limit: number; offset: number },
): Promise<{ count: number; verifications: VerificationRow[] }> {
  if (mappingId !== undefined && !(await findMapping(db, mappingId, ownerId))) throw new AppError('mapping.not-found');
  const choice = { ownerId, mappingId };
  const [count, verifications] = await Promise.all([
    countVerifications(db, choice),
    listVerificationRows(db, choice, page),
  ]);
  return { count, verifications };
}
