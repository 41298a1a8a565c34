import { sql, type Kysely } from 'kysely';

/** Which login a proof was had by, so that ending the login ends the proof. Older proofs are of no login known. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table gate_ticket
      add column session_id integer references session (id) on delete cascade`.execute(db);
  await sql`
    alter table verification
      add column session_id integer references session (id) on delete set null`.execute(db);
  // Most have none. Also of those that were ended: a session that is deleted looks for every row that points to it.
  await sql`create index gate_ticket_session_id_idx on gate_ticket (session_id) where session_id is not null`.execute(
    db,
  );
  await sql`create index verification_session_id_idx on verification (session_id) where session_id is not null`.execute(
    db,
  );
}
