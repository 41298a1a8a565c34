import { type Kysely, sql } from 'kysely';

/** A terminal whose page is closed runs on until then, as its gateway says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app_session add column kept_until timestamptz`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app_session drop column kept_until`.execute(db);
}
