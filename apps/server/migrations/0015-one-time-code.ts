import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // One living code for each address and purpose: sending another one replaces it.
  await sql`
    create table one_time_code (
      purpose    text not null,
      address    text not null,
      code_hash  bytea not null check (length(code_hash) = 32),
      tries      integer not null default 0 check (tries between 0 and 5),
      expires_at timestamptz not null,
      used_at    timestamptz,
      primary key (purpose, address)
    )`.execute(db);
  await sql`create index one_time_code_expires_at_idx on one_time_code (expires_at)`.execute(db);

  // Unlogged: counted often and for a while only; after a crash of the database counting starts anew.
  await sql`
    create unlogged table rate_count (
      key     text primary key,
      hits    integer not null check (hits > 0),
      ends_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_count_ends_at_idx on rate_count (ends_at)`.execute(db);

  await sql`
    create unique index user_account_phone_number_key on user_account (phone_number)
    where phone_number is not null`.execute(db);
}
