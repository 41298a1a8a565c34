import { sql, type Kysely } from 'kysely';

/** What an account is guarded by: second factors, confirmed sessions, API tokens; and its way out. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column invited_by  text not null default '' check (length(invited_by) <= 64),
      add column deletion_at timestamptz`.execute(db);
  await sql`create unique index user_account_email_key on user_account (lower(email)) where email <> ''`.execute(db);
  await sql`create index user_account_deletion_at_idx on user_account (deletion_at) where deletion_at is not null`.execute(
    db,
  );
  await sql`
    alter table session
      add column id              integer generated always as identity unique,
      add column confirmed_until timestamptz`.execute(db);
  await upSecondFactor(db);
  await sql`
    create table api_token (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      name         text not null check (length(name) between 1 and 40),
      hint         text not null,
      token_hash   bytea not null unique check (length(token_hash) = 32),
      scopes       text[] not null check (cardinality(scopes) > 0),
      created_at   timestamptz not null default now(),
      expires_at   timestamptz,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index api_token_user_id_idx on api_token (user_id)`.execute(db);
}

async function upSecondFactor(db: Kysely<never>): Promise<void> {
  // Not confirmed: being set up. `last_step` is the newest 30 seconds whose code was used.
  await sql`
    create table totp (
      user_id       integer primary key references user_account on delete cascade,
      secret_sealed bytea not null,
      last_step     integer not null default 0,
      created_at    timestamptz not null default now(),
      confirmed_at  timestamptz
    )`.execute(db);
  await sql`
    create table passkey (
      id            integer generated always as identity primary key,
      user_id       integer not null references user_account on delete cascade,
      rp_id         text not null,
      credential_id text not null unique,
      public_key    bytea not null,
      counter       bigint not null check (counter >= 0),
      transports    text[] not null default '{}',
      name          text not null check (length(name) between 1 and 40),
      created_at    timestamptz not null default now(),
      last_used_at  timestamptz
    )`.execute(db);
  await sql`create index passkey_user_id_idx on passkey (user_id)`.execute(db);
  await sql`
    create table recovery_code (
      user_id   integer not null references user_account on delete cascade,
      code_hash bytea not null check (length(code_hash) = 32),
      used_at   timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);
  // One challenge for each session (or login that waits for its second step) and purpose.
  await sql`
    create table passkey_challenge (
      bound_to   bytea not null check (length(bound_to) = 32),
      purpose    text not null check (purpose in ('register', 'confirm', 'login')),
      user_id    integer not null references user_account on delete cascade,
      challenge  text not null,
      expires_at timestamptz not null,
      primary key (bound_to, purpose)
    )`.execute(db);
  await sql`create index passkey_challenge_user_id_idx on passkey_challenge (user_id)`.execute(db);
  // A login whose first step is done. The browser that did it holds what `browser_hash` was made of.
  await sql`
    create table login_step (
      token_hash   bytea primary key check (length(token_hash) = 32),
      browser_hash bytea not null check (length(browser_hash) = 32),
      user_id      integer not null references user_account on delete cascade,
      tries        integer not null default 0,
      expires_at   timestamptz not null,
      used_at      timestamptz
    )`.execute(db);
  await sql`create index login_step_user_id_idx on login_step (user_id)`.execute(db);
}
