import { sql, type Kysely } from 'kysely';

/**
 * LAN discovery: whether the owner of a device allows it, the last scan, and what scans have seen. `completed_from` is the
 * start of the last complete scan; what was last seen before is missing. `has_earlier`: the scan had an earlier complete one,
 * without which nothing is new.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table device add column discovery_enabled boolean not null default true`.execute(db);
  await sql`
    create table lan_scan (
      device_id      integer primary key references device on delete cascade,
      run_id         uuid not null,
      started_at     timestamptz not null default now(),
      ended_at       timestamptz,
      percent        integer not null default 0 check (percent between 0 and 100),
      result         text,
      completed_from timestamptz,
      has_earlier    boolean not null default false,
      check ((ended_at is null) = (result is null))
    )`.execute(db);
  await sql`
    create table lan_host (
      id         integer generated always as identity primary key,
      device_id  integer not null references device on delete cascade,
      address    text not null,
      mac        text,
      vendor     text not null,
      name       text not null,
      kind       text,
      is_self    boolean not null,
      first_seen timestamptz not null default now(),
      last_seen  timestamptz not null default now()
    )`.execute(db);
  await sql`create index lan_host_device_id_idx on lan_host (device_id)`.execute(db);
  await sql`create index lan_host_last_seen_idx on lan_host (last_seen)`.execute(db);
  await sql`
    create table lan_service (
      id         integer generated always as identity primary key,
      host_id    integer not null references lan_host on delete cascade,
      port       integer not null check (port between 1 and 65535),
      protocol   text not null,
      kind       text,
      title      text not null,
      first_seen timestamptz not null default now(),
      last_seen  timestamptz not null default now(),
      unique (host_id, port)
    )`.execute(db);
  await sql`create index lan_service_last_seen_idx on lan_service (last_seen)`.execute(db);
}
