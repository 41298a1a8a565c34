import { sql, type Kysely } from 'kysely';

/**
 * Wake-on-LAN: the kind `wol`, a MAC address for every cloud app (in its options), the times of a schedule, and who
 * woke a host when. A time of a schedule has one row at most, so that one server process wakes the host.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table cloud_app drop constraint cloud_app_kind_check`.execute(db);
  await sql`
    alter table cloud_app add constraint cloud_app_kind_check
      check (kind in ('ssh', 'telnet', 'vnc', 'rdp', 'sftp', 'webdav', 'smb', 'aria2', 'wol'))`.execute(db);
  await sql`
    alter table cloud_app
      add column wake_times jsonb not null default '[]' check (jsonb_typeof(wake_times) = 'array')`.execute(db);
  await sql`update cloud_app set options = options || '{"mac": ""}'`.execute(db);
  await sql`create index cloud_app_wake_times_idx on cloud_app (id) where wake_times <> '[]'`.execute(db);

  await sql`
    create table cloud_app_wake (
      id            integer generated always as identity primary key,
      app_id        integer not null references cloud_app on delete cascade,
      user_id       integer references user_account on delete set null,
      who           text not null,
      ip            text,
      scheduled_for timestamptz,
      result        text not null check (result in ('sent', 'device-offline', 'agent-outdated', 'failed')),
      created_at    timestamptz not null default now(),
      unique (app_id, scheduled_for)
    )`.execute(db);
  await sql`create index cloud_app_wake_app_id_created_at_idx on cloud_app_wake (app_id, created_at)`.execute(db);
  await sql`create index cloud_app_wake_user_id_idx on cloud_app_wake (user_id)`.execute(db);
  await sql`create index cloud_app_wake_created_at_idx on cloud_app_wake (created_at)`.execute(db);
}
