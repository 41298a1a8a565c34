import { sql, type Kysely } from 'kysely';

/**
 * A proof keeps the number of the login that it was had by when that is over: no other login will ever have it. Taking it
 * off all of them was a write for each, and locked them in whatever order.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table verification drop constraint verification_session_id_fkey`.execute(db);
}
