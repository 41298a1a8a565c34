import { sql, type Kysely } from 'kysely';

/** Keys with which agents enrol in place of the account token: for one device or several, until a time. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table enrolment_key (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      name         text not null check (length(name) between 1 and 40),
      device_name  text not null default '' check (length(device_name) <= 40),
      hint         text not null,
      key_hash     bytea not null unique check (length(key_hash) = 32),
      is_reusable  boolean not null,
      use_count    integer not null default 0 check (use_count >= 0),
      created_at   timestamptz not null default now(),
      expires_at   timestamptz not null,
      last_used_at timestamptz,
      constraint enrolment_key_single_use check (is_reusable or use_count <= 1),
      check ((use_count = 0) = (last_used_at is null))
    )`.execute(db);
  await sql`create index enrolment_key_user_id_idx on enrolment_key (user_id)`.execute(db);
}
