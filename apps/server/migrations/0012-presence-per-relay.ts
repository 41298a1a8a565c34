import { sql, type Kysely } from 'kysely';

/** A device may be connected to several relays at once, to each with epochs of its own. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table device_presence
      drop constraint device_presence_pkey,
      add primary key (device_id, relay_id)`.execute(db);
}
