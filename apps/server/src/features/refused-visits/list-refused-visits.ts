import type { Db } from '../../db/driver.ts';
import { getOwnMapping, isDeletedMapping } from '../mappings/index.ts';
import {
  countRefusedVisits,
  listRefusedVisitRows,
  type RefusedVisitFilter,
  type RefusedVisitRow,
} from './refused-visit-store.ts';

/** One page of the refused visits that match the filter, also those of deleted mappings. Throws mapping.not-found. */
export async function listRefusedVisits(
  db: Db,
  filter: RefusedVisitFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; visits: RefusedVisitRow[] }> {
  const { mapping, ownerId } = filter;
  const own = mapping === undefined ? undefined : { mappingId: mapping, userId: ownerId };
  if (own && !(await isDeletedMapping(db, own))) await getOwnMapping(db, own);
  const [count, visits] = await Promise.all([countRefusedVisits(db, filter), listRefusedVisitRows(db, filter, page)]);
  return { count, visits };
}
