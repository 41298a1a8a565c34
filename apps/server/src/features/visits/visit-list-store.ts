import type { VisitResult, VisitWho } from '@tongtu/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';
import type { Database } from '../../db/schema.ts';

export type VisitFilter = {
  mappingId: number;
  /** As many as the mapping's log keeps. */
  days: number;
  who?: VisitWho | undefined;
  result?: VisitResult | undefined;
  method?: string | undefined;
  search?: string | undefined;
};

export type VisitRow = Omit<Selectable<Database['visit']>, 'mappingId'>;

/** The latest first; `before` and `after` are ids. */
export async function listVisitRows(
  db: Db,
  { mappingId, days, who, result, method, search = '' }: VisitFilter,
  page: { limit: number; before?: number | undefined; after?: number | undefined },
): Promise<VisitRow[]> {
  let query = db
    .selectFrom('visit')
    .where('mappingId', '=', mappingId)
    .where('at', '>', sql<Date>`now() - make_interval(days => ${days}::integer)`);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  if (who !== undefined) query = query.where('who', '=', who);
  if (method !== undefined) query = query.where('method', '=', method);
  if (result === 'denied' || result === 'failed' || result === 'aborted') query = query.where('outcome', '=', result);
  else if (result !== undefined) {
    const first = Number(result[0]) * 100;
    query = query.where('status', '>=', first).where('status', '<', first + 100);
  }
  if (search !== '') {
    const pattern = patternContaining(search);
    query = query.where((eb) =>
      eb.or([
        ...(['ip', 'place', 'whoName', 'path', 'userAgent'] as const).map((column) => eb(column, 'ilike', pattern)),
        eb('path', 'ilike', patternContaining(encodeURI(search.toWellFormed()))), // the console shows it decoded
      ]),
    );
  }
  return await query
    .select(['id', 'at', 'ms', 'ip', 'place', 'who', 'whoName', 'outcome', 'reason', 'method', 'path', 'userAgent'])
    .select(['status', 'bytesIn', 'bytesOut'])
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** How many visits of these days were counted and not recorded. */
export async function sumUnrecorded(
  db: Db,
  { mappingId, days }: VisitFilter,
): Promise<{ denied: number; others: number }> {
  return await db
    .selectFrom('visitUnrecorded')
    .where('mappingId', '=', mappingId)
    .where('hour', '>', sql<Date>`now() - make_interval(days => ${days}::integer)`)
    .select(sql<number>`coalesce(sum(denied), 0)::bigint`.as('denied'))
    .select(sql<number>`coalesce(sum(others), 0)::bigint`.as('others'))
    .executeTakeFirstOrThrow();
}
