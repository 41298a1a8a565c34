import { sql, type Kysely } from 'kysely';

/** Counts the changes of an announcement, so that one made to an older text is noticed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table announcement add column revision integer not null default 1 check (revision > 0)`.execute(db);
}
