import { sql, type Kysely } from 'kysely';

/** Staff who send a batch again, because the answer was lost, get the keys that were made the first time. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table key_batch add column uuid_from_client uuid unique`.execute(db);
}
