import { sql, type Kysely } from 'kysely';

/** An owner and a member can each pin an address to the front of their launcher. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table mapping add column pinned boolean not null default false`.execute(db);
  await sql`alter table mapping_member add column pinned boolean not null default false`.execute(db);
}
