import { sql, type Kysely } from 'kysely';

/** Where visits came from, by day in Beijing, and the usage of the last minutes. */
export async function up(db: Kysely<never>): Promise<void> {
  const owner = sql`
    user_id    integer not null references user_account on delete cascade,
    device_id  integer not null references device on delete cascade,
    mapping_id integer not null references mapping on delete cascade`;
  await sql`
    create table usage_place_day (
      ${owner},
      day        timestamptz not null,
      place      text not null,
      requests   bigint not null,
      primary key (mapping_id, day, place)
    )`.execute(db);
  // Without a reference to `verification`, which is deleted on its own: then the visitor has no name any more.
  await sql`
    create table usage_visitor_day (
      ${owner},
      day             timestamptz not null,
      verification_id integer not null,
      requests        bigint not null,
      primary key (mapping_id, day, verification_id)
    )`.execute(db);
  for (const table of ['usage_place_day', 'usage_visitor_day']) {
    await sql`create index ${sql.raw(`${table}_user_idx`)} on ${sql.table(table)} (user_id, day)`.execute(db);
    await sql`create index ${sql.raw(`${table}_device_idx`)} on ${sql.table(table)} (device_id, day)`.execute(db);
    await sql`create index ${sql.raw(`${table}_day_idx`)} on ${sql.table(table)} (day)`.execute(db);
  }

  await sql`
    create table usage_recent (
      id         bigint generated always as identity primary key,
      ${owner},
      at         timestamptz not null,
      bytes_in   bigint not null,
      bytes_out  bigint not null,
      requests   bigint not null,
      errors     bigint not null
    )`.execute(db);
  await sql`create index usage_recent_user_idx on usage_recent (user_id, at)`.execute(db);
  await sql`create index usage_recent_device_idx on usage_recent (device_id)`.execute(db);
  await sql`create index usage_recent_mapping_idx on usage_recent (mapping_id)`.execute(db);
  await sql`create index usage_recent_at_idx on usage_recent (at)`.execute(db);
}
