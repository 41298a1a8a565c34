import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining, patternStartingWith } from '../../db/like-pattern.ts';
import type { Database } from '../../db/schema.ts';

export type AuditRow = Selectable<Database['auditEntry']>;
export type AuditFilter = { actor?: number | undefined; action?: string | undefined; search?: string | undefined };

/** One page of the entries that match, new ones first. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; rows: AuditRow[] }> {
  const matching = selectMatching(db, filter);
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'at', 'actorId', 'actor', 'ip', 'action', 'objectType', 'objectId', 'objectName', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, rows };
}

function selectMatching(db: Db, { actor, action = '', search = '' }: AuditFilter) {
  return db
    .selectFrom('auditEntry')
    .$if(actor !== undefined, (query) => query.where('actorId', '=', actor ?? 0))
    .$if(action !== '', (query) => query.where('action', 'like', patternStartingWith(action)))
    .$if(search !== '', (query) => query.where(matchesName(search)));
}

function matchesName(search: string) {
  const pattern = patternContaining(search);
  return sql<boolean>`(actor ilike ${pattern} or object_name ilike ${pattern})`;
}
