import { sql, type Kysely } from 'kysely';

/** Visits that the gate has refused: one row for mapping, visitor, reason and hour. Like verifications, they outlive their mapping. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table refused_visit (
      id         integer generated always as identity primary key,
      owner_id   integer not null references user_account on delete cascade,
      mapping_id integer not null,
      device_id  integer not null,
      host       text not null,
      reason     text not null check (reason in ('not_allowed', 'right_ended', 'password_wrong', 'share_ended')),
      visitor    text not null,
      who        text not null default '',
      visitor_ip text not null,
      user_agent text not null,
      hour       timestamptz not null,
      count      integer not null default 1 check (count > 0),
      first_at   timestamptz not null default now(),
      last_at    timestamptz not null default now(),
      unique (mapping_id, visitor, reason, hour)
    )`.execute(db);
  await sql`create index refused_visit_owner_id_last_at_idx on refused_visit (owner_id, last_at)`.execute(db);
  await sql`create index refused_visit_last_at_idx on refused_visit (last_at)`.execute(db);
}
