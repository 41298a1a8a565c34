import { sql, type Kysely } from 'kysely';

/** Facts of this installation that must be decided once, e.g. that the first start was done. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table setting (name text primary key, value jsonb not null)`.execute(db);
}
