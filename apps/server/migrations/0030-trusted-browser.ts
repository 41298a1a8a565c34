import { sql, type Kysely } from 'kysely';

/** Browsers in which somebody has logged in to an account before: wrong passwords typed there count for themselves. */
export async function up(db: Kysely<never>): Promise<void> {
  // `session_id` is the last login there; it stays when that is over, and no other login will ever have it.
  await sql`
    create table trusted_browser (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      secret_hash  bytea not null unique check (length(secret_hash) = 32),
      session_id   integer not null,
      last_used_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index trusted_browser_user_id_idx on trusted_browser (user_id)`.execute(db);
  await sql`create index trusted_browser_session_id_idx on trusted_browser (session_id)`.execute(db);
  await sql`create index trusted_browser_last_used_at_idx on trusted_browser (last_used_at)`.execute(db);
}
