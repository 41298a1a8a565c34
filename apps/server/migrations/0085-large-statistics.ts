import { sql, type Kysely } from 'kysely';

/** The statistics of an account with many devices are read from fewer and smaller rows. */
export async function up(db: Kysely<never>): Promise<void> {
  // A sketch of 256 hashes is stored apart from its row, and reading it takes most of the time of a chart of two years.
  await sql`
    alter table usage_sum
      add column visitor_size integer not null generated always as (cardinality(visitors)) stored,
      add column visitor_largest bigint generated always as (visitors[cardinality(visitors)]) stored,
      add column network_size integer not null generated always as (cardinality(networks)) stored,
      add column network_largest bigint generated always as (networks[cardinality(networks)]) stored`.execute(db);

  // The rows of mappings are only inserted, so their figures in an index cost no updates.
  await sql`drop index usage_sum_top_idx`.execute(db);
  await sql`
    create index usage_sum_top_idx on usage_sum (user_id, unit, starts_at)
      include (device_id, mapping_id, bytes_in, bytes_out, requests) where mapping_id is not null`.execute(db);

  // The sums of `usage_place_day`, also of mappings that were deleted since.
  await sql`
    create table usage_account_place_day (
      user_id  integer not null references user_account on delete cascade,
      day      timestamptz not null,
      place    text not null,
      requests bigint not null,
      primary key (user_id, day, place)
    )`.execute(db);
  await sql`create index usage_account_place_day_day_idx on usage_account_place_day (day)`.execute(db);
  await sql`
    insert into usage_account_place_day
    select user_id, day, place, sum(requests) from usage_place_day group by user_id, day, place`.execute(db);
}
