import { sql, type Kysely } from 'kysely';

/** The visitor log: one row for each request, TCP connection or UDP conversation of a mapping whose owner wants it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping add column visit_log_days integer not null default 0
      check (visit_log_days in (0, 1, 7, 30))`.execute(db);
  await sql`
    create table visit (
      id         bigint generated always as identity primary key,
      mapping_id integer not null references mapping on delete cascade,
      at         timestamptz not null,
      ms         bigint not null,
      ip         text not null,
      place      text not null,
      who        text not null,
      who_name   text not null,
      outcome    text not null check (outcome in ('served', 'denied', 'failed', 'aborted')),
      reason     text not null,
      method     text not null,
      path       text not null,
      user_agent text not null,
      status     integer,
      bytes_in   bigint not null,
      bytes_out  bigint not null
    )`.execute(db);
  await sql`create index visit_mapping_id_id_idx on visit (mapping_id, id)`.execute(db);
  await sql`create index visit_mapping_id_at_idx on visit (mapping_id, at)`.execute(db);
  await sql`
    create table visit_unrecorded (
      mapping_id integer not null references mapping on delete cascade,
      hour       timestamptz not null,
      denied     bigint not null,
      others     bigint not null,
      primary key (mapping_id, hour)
    )`.execute(db);
  await sql`
    create table visit_report (
      relay_id  text not null references relay on delete cascade,
      boot_id   text not null,
      sequence  bigint not null check (sequence > 0),
      stored_at timestamptz not null default now(),
      primary key (relay_id, boot_id)
    )`.execute(db);
}
