import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table mapping (
      id          integer generated always as identity primary key,
      device_id   integer not null references device on delete cascade,
      server_id   integer not null references server,
      kind        text not null check (kind in ('http', 'https')),
      prefix      text not null check (prefix ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      target_host text not null,
      target_port integer not null check (target_port between 1 and 65535),
      policy      text not null check (policy in ('owner', 'public')),
      remark      text not null default '' check (length(remark) <= 100),
      enabled     boolean not null default true,
      created_at  timestamptz not null default now(),
      unique (server_id, prefix)
    )`.execute(db);
  await sql`create index mapping_device_id_idx on mapping (device_id)`.execute(db);
}
