import { sql, type Kysely } from 'kysely';

/** Users with a frpc.toml of their own log in with one name and token for all their devices; each proxy becomes a mapping. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table frpc_account (
      user_id integer primary key references user_account on delete cascade,
      login text not null unique,
      token_sealed bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    alter table device
      add column frpc_login text unique,
      add constraint device_frpc_login_check check (frpc_login is null or frpc_token_sealed is not null)`.execute(db);
  await sql`alter table mapping add column frpc_proxy text`.execute(db);
}
