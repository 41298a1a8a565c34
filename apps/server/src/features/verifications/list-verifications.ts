import type { Db } from '../../db/driver.ts';
import { getOwnMapping, isDeletedMapping } from '../mappings/index.ts';
import {
  countVerifications,
  listVerificationRows,
  type VerificationFilter,
  type VerificationRow,
} from './verification-list-store.ts';

/** One page of the verifications that match the filter, also those of deleted mappings. Throws mapping.not-found. */
export async function listVerifications(
  db: Db,
  filter: VerificationFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; verifications: VerificationRow[] }> {
  const { mapping, ownerId } = filter;
  const own = mapping === undefined ? undefined : { mappingId: mapping, userId: ownerId };
  if (own && !(await isDeletedMapping(db, own))) await getOwnMapping(db, own);
  const [count, verifications] = await Promise.all([
    countVerifications(db, filter),
    listVerificationRows(db, filter, page),
  ]);
  return { count, verifications };
}
