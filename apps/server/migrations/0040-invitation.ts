import { sql, type Kysely } from 'kysely';

/** One-time links with which people join or choose a password, members who accepted one, and accounts that are switched off. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column disabled_at           timestamptz,
      add column last_login_at         timestamptz,
      add column has_one_time_password boolean not null default false`.execute(db);
  await sql`
    update user_account set last_login_at = greatest(
      (select max(last_at) from known_login where user_id = user_account.id),
      (select max(created_at) from session where user_id = user_account.id))`.execute(db);

  await sql`
    alter table mapping_member
      add column user_id   integer references user_account on delete set null,
      add column joined_at timestamptz`.execute(db);
  await sql`create index mapping_member_user_id_idx on mapping_member (user_id)`.execute(db);
  await sql`
    update mapping_member set joined_at = (
      select min(created_at) from verification where member_id = mapping_member.id)`.execute(db);

  await sql`
    create table invitation (
      id         integer generated always as identity primary key,
      token_hash bytea not null unique,
      purpose    text not null check (purpose in ('join', 'password')),
      user_id    integer references user_account on delete cascade,
      member_id  integer unique references mapping_member on delete cascade,
      invited_by integer references user_account on delete cascade,
      email      text not null default '',
      note       text not null default '',
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      check ((purpose = 'password') = (user_id is not null)),
      check (purpose = 'join' or member_id is null),
      check (purpose = 'password' or invited_by is not null)
    )`.execute(db);
  await sql`create index invitation_user_id_idx on invitation (user_id)`.execute(db);
  await sql`create index invitation_invited_by_idx on invitation (invited_by)`.execute(db);
  await sql`create index invitation_expires_at_idx on invitation (expires_at)`.execute(db);
}
