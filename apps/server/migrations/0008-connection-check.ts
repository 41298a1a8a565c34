import { sql, type Kysely } from 'kysely';

/** A running connection check, so that there is one at a time per device across all server processes. */
export async function up(db: Kysely<never>): Promise<void> {
  // expires_at frees the device when the process that was checking died.
  await sql`
    create table connection_check (
      device_id  integer primary key references device on delete cascade,
      run_id     uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
}
