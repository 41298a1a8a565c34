import { sql, type Kysely } from 'kysely';

/** The last time with which the frpc of a device logged in, so that a recorded login is of no use. An account's token serves several devices. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table frpc_login (
      device_id integer primary key references device on delete cascade,
      accepted_seconds bigint,
      speaks_v2 boolean not null default false
    )`.execute(db);
  await sql`
    create table frpc_login_second (
      user_id integer not null references user_account on delete cascade,
      login_seconds bigint not null,
      first_at timestamptz not null default clock_timestamp(),
      primary key (user_id, login_seconds)
    )`.execute(db);
  await sql`create index frpc_login_second_first_at_idx on frpc_login_second (first_at)`.execute(db);
}
