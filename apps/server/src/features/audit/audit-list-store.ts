import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type AuditRow = {
  id: number;
  at: Date;
  actorId: number | null;
  actor: string;
  ip: string;
  action: string;
  objectType: string;
  objectId: number | null;
  objectName: string;
  before: object;
  after: object;
};
export type AuditFilter = { actor?: number | undefined; action?: string | undefined; search?: string | undefined };

/** One page of the entries that match, new ones first. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; rows: AuditRow[] }> {
  const matching = db.selectFrom('auditEntry').where(conditionOf(filter));
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'at', 'actorId', 'actor', 'ip', 'action', 'objectType', 'objectId', 'objectName', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, rows };
}

function conditionOf({ actor, action = '', search = '' }: AuditFilter): RawBuilder<boolean> {
  const parts = [
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
    ...(action === '' ? [] : [sql`action like ${`${escaped(action)}%`}`]),
    ...(search === ''
      ? []
      : [sql`(actor ilike ${`%${escaped(search)}%`} or object_name ilike ${`%${escaped(search)}%`})`]),
  ];
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
