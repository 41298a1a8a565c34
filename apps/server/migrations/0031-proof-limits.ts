import { sql, type Kysely } from 'kysely';

/** How many proofs somebody has whose cookies have not run out is counted whenever one more is to be made. */
export async function up(db: Kysely<never>): Promise<void> {
  // Of older proofs it stays empty: they run out within 48 hours.
  await sql`alter table verification add column visitor_network text not null default ''`.execute(db);
  await sql`create index verification_mapping_id_cookie_expires_at_idx on verification (mapping_id, cookie_expires_at)`.execute(
    db,
  );
  await sql`drop index verification_mapping_id_idx`.execute(db);
  await sql`
    create index verification_session_id_cookie_expires_at_idx on verification (session_id, cookie_expires_at)
    where session_id is not null`.execute(db);
  await sql`drop index verification_session_id_idx`.execute(db);
}
