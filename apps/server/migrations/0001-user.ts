import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table user_account (
      id                        integer generated always as identity primary key,
      username                  text not null check (length(username) between 2 and 32),
      email                     text not null default '',
      password_hash             text,
      is_staff                  boolean not null default false,
      is_promoter               boolean not null default false,
      is_superuser              boolean not null default false,
      accepted_terms_of_service boolean not null default false,
      accepted_terms_of_payment boolean not null default false,
      readed_announcement_id    integer not null default 0 check (readed_announcement_id >= 0),
      phone_number              text,
      phone_bound_at            timestamptz,
      created_at                timestamptz not null default now(),
      check ((phone_number is null) = (phone_bound_at is null))
    )`.execute(db);
  await sql`create unique index user_account_username_key on user_account (lower(username))`.execute(db);

  await sql`
    create table session (
      id_hash      bytea primary key check (length(id_hash) = 32),
      user_id      integer not null references user_account on delete cascade,
      created_at   timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at   timestamptz not null,
      ip           text not null,
      user_agent   text not null
    )`.execute(db);
  await sql`create index session_user_id_idx on session (user_id)`.execute(db);
  await sql`create index session_expires_at_idx on session (expires_at)`.execute(db);

  // The token is found by its hash and shown again to its owner from the sealed copy.
  await sql`
    create table account_token (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      token_hash   bytea not null unique check (length(token_hash) = 32),
      token_sealed bytea not null,
      created_at   timestamptz not null default now(),
      retired_at   timestamptz
    )`.execute(db);
  await sql`create unique index account_token_current_key on account_token (user_id) where retired_at is null`.execute(
    db,
  );
  await sql`create index account_token_user_id_idx on account_token (user_id)`.execute(db);

  await sql`
    create table token_sign (
      token_id   text primary key,
      user_id    integer not null references user_account on delete cascade,
      sign_hash  bytea not null check (length(sign_hash) = 32),
      expires_at timestamptz not null,
      used_at    timestamptz
    )`.execute(db);
  await sql`create index token_sign_user_id_idx on token_sign (user_id)`.execute(db);

  await sql`
    create table login_failure (
      account      text primary key,
      failures     integer not null check (failures > 0),
      last_at      timestamptz not null default now(),
      locked_until timestamptz
    )`.execute(db);
}
