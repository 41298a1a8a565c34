import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table sso_login (
      state_hash      bytea primary key check (length(state_hash) = 32),
      scan_hash       bytea not null unique check (length(scan_hash) = 32),
      created_at      timestamptz not null default now(),
      expires_at      timestamptz not null,
      site            text not null,
      ip              text not null,
      user_agent      text not null,
      scanned_at      timestamptz,
      phone_hash      bytea,
      oauth_code_hash bytea,
      app_id          text,
      open_id         text,
      union_id        text,
      nickname        text,
      decision        text check (decision in ('confirmed', 'cancelled')),
      decided_at      timestamptz,
      code_hash       bytea,
      code_expires_at timestamptz,
      check ((decision is null) = (decided_at is null)),
      check (decision is distinct from 'confirmed' or (app_id is not null and open_id is not null)),
      check ((code_hash is null) = (code_expires_at is null))
    )`.execute(db);
  await sql`create index sso_login_expires_at_idx on sso_login (expires_at)`.execute(db);

  await sql`
    create table wechat_account (
      user_id  integer primary key references user_account on delete cascade,
      app_id   text not null,
      open_id  text not null,
      union_id text unique,
      nickname text not null,
      bound_at timestamptz not null default now(),
      unique (app_id, open_id)
    )`.execute(db);
}
