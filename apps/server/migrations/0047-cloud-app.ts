import { sql, type Kysely } from 'kysely';

/**
 * Cloud apps, who may open them, and their sessions. A session outlives its app as a record. Ids of apps come from the
 * sequence of the mappings, because a tunnel's open request has one field for both.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table cloud_app (
      id                  integer primary key default nextval('mapping_id_seq'),
      device_id           integer not null references device on delete cascade,
      kind                text not null check (kind in ('ssh', 'telnet', 'vnc', 'rdp', 'sftp', 'webdav', 'smb')),
      name                text not null check (length(name) between 1 and 40),
      target_host         text not null,
      target_port         integer not null check (target_port between 1 and 65535),
      options             jsonb not null,
      secrets_sealed      bytea,
      stored_secrets      text[] not null default '{}'
        check (stored_secrets <@ array['password', 'private_key', 'passphrase']),
      host_key            text,
      needs_second_factor boolean not null default false,
      enabled             boolean not null default true,
      version             integer not null default 1,
      created_at          timestamptz not null default now(),
      check ((secrets_sealed is null) = (stored_secrets = '{}'))
    )`.execute(db);
  await sql`create index cloud_app_device_id_idx on cloud_app (device_id)`.execute(db);

  await sql`
    create table cloud_app_member (
      id         integer generated always as identity primary key,
      app_id     integer not null references cloud_app on delete cascade,
      user_id    integer not null references user_account on delete cascade,
      created_at timestamptz not null default now(),
      unique (app_id, user_id)
    )`.execute(db);
  await sql`create index cloud_app_member_user_id_idx on cloud_app_member (user_id)`.execute(db);

  // The login session has no foreign key: it ends without waiting for these rows, and its id is never used again.
  await sql`
    create table app_session (
      id               integer generated always as identity primary key,
      app_id           integer references cloud_app on delete set null,
      app_name         text not null,
      app_version      integer not null,
      kind             text not null,
      device_name      text not null,
      owner_id         integer not null references user_account on delete cascade,
      user_id          integer references user_account on delete set null,
      who              text not null,
      login_session_id integer not null,
      token_hash       bytea not null check (length(token_hash) = 32),
      ip               text not null,
      user_agent       text not null,
      started_at       timestamptz not null default now(),
      seen_at          timestamptz not null default now(),
      ended_at         timestamptz,
      end_reason       text,
      bytes_in         bigint not null default 0,
      bytes_out        bigint not null default 0,
      check ((ended_at is null) = (end_reason is null))
    )`.execute(db);
  await sql`create index app_session_app_id_idx on app_session (app_id)`.execute(db);
  await sql`create index app_session_owner_id_started_at_idx on app_session (owner_id, started_at)`.execute(db);
  await sql`create index app_session_user_id_started_at_idx on app_session (user_id, started_at)`.execute(db);
  await sql`create index app_session_open_idx on app_session (seen_at) where ended_at is null`.execute(db);
  await sql`create index app_session_ended_at_idx on app_session (ended_at)`.execute(db);
}
