import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table server (
      id          integer generated always as identity primary key,
      name        text not null,
      suffix      text not null unique check (suffix = lower(suffix)),
      isp         text not null default '',
      maintenance boolean not null default false
    )`.execute(db);

  // What the relay last reported of its devices is valid while last_seen_at is recent.
  await sql`
    create table relay (
      id           text primary key,
      server_id    integer not null references server,
      boot_id      text not null,
      load         real not null default 0 check (load between 0 and 1),
      last_seen_at timestamptz not null
    )`.execute(db);
  await sql`create index relay_server_id_idx on relay (server_id)`.execute(db);
}
