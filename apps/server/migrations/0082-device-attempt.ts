import { sql, type Kysely } from 'kysely';

/** Devices that could not be added lately: one row for kind, network and owner, for as long as somebody may be waiting. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table device_attempt (
      kind    text not null,
      network text not null,
      user_id integer references user_account on delete cascade,
      last_at timestamptz not null default now(),
      unique nulls not distinct (network, kind, user_id)
    )`.execute(db);
  await sql`create index device_attempt_user_id_idx on device_attempt (user_id)`.execute(db);
  await sql`create index device_attempt_last_at_idx on device_attempt (last_at)`.execute(db);
}
