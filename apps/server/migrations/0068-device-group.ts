import { sql, type Kysely } from 'kysely';

/** A word of the owner's choice, under which the console lists the device; empty for none. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table device add column group_name text not null default ''`.execute(db);
}
