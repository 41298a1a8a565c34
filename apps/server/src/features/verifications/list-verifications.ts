import type { Db } from '../../db/driver.ts';
import { getOwnMapping, isDeletedMapping } from '../mappings/index.ts';
import {
  countVerifications,
  listVerificationRows,
  type VerificationChoice,
  type VerificationRow,
} from './verification-list-store.ts';

/** One page of who was let in to the owner's mappings, also deleted ones, as far as chosen. Throws mapping.not-found. */
export async function listVerifications(
  db: Db,
  choice: VerificationChoice,
  page: { limit: number; offset: number },
): Promise<{ count: number; verifications: VerificationRow[] }> {
  const { mapping, ownerId } = choice;
  const own = mapping === undefined ? undefined : { mappingId: mapping, userId: ownerId };
  if (own && !(await isDeletedMapping(db, own))) await getOwnMapping(db, own);
  const [count, verifications] = await Promise.all([
    countVerifications(db, choice),
    listVerificationRows(db, choice, page),
  ]);
  return { count, verifications };
}
