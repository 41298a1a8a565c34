import type { Db } from '../../db/driver.ts';
import { getOwnMapping } from '../mappings/index.ts';
import {
  countVerifications,
  listVerificationRows,
  type VerificationChoice,
  type VerificationRow,
} from './verification-list-store.ts';

/** One page of who was let in to the owner's mappings, as far as chosen. Throws mapping.not-found. */
export async function listVerifications(
  db: Db,
  choice: VerificationChoice,
  page: { limit: number; offset: number },
): Promise<{ count: number; verifications: VerificationRow[] }> {
  const { mapping, ownerId } = choice;
  if (mapping !== undefined) await getOwnMapping(db, { mappingId: mapping, userId: ownerId });
  const [count, verifications] = await Promise.all([
    countVerifications(db, choice),
    listVerificationRows(db, choice, page),
  ]);
  return { count, verifications };
}
