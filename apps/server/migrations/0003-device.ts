import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table device (
      id         integer generated always as identity primary key,
      user_id    integer not null references user_account on delete cascade,
      server_id  integer not null references server,
      uid        text not null unique check (uid ~ '^[0-9a-f]{12}$'),
      public_key bytea not null unique check (length(public_key) = 32),
      name       text not null check (length(name) between 1 and 40),
      pinned     boolean not null default false,
      enabled    boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index device_user_id_idx on device (user_id)`.execute(db);
  await sql`create index device_server_id_idx on device (server_id)`.execute(db);

  // No row: never connected. An event with a lower epoch than the row's comes from an older connection.
  await sql`
    create table device_presence (
      device_id      integer primary key references device on delete cascade,
      relay_id       text not null references relay,
      epoch          bigint not null check (epoch > 0),
      online         boolean not null,
      changed_at     timestamptz not null,
      offline_reason text,
      public_ip      text not null,
      agent_version  text not null,
      platform       text not null,
      check (online = (offline_reason is null))
    )`.execute(db);
  await sql`create index device_presence_relay_id_idx on device_presence (relay_id)`.execute(db);
}
