import { sql, type Kysely } from 'kysely';

/**
 * Usage of accounts, devices and mappings by hour, day and month. A sketch has the smallest 256 hashes of a set: it is the
 * set itself up to that size, and an estimate of the size beyond it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping_usage_hour
      add column latency bigint[] not null default '{}',
      add column visitors bigint[] not null default '{}',
      add column networks bigint[] not null default '{}',
      add column is_truncated boolean not null default false`.execute(db);

  await sql`
    create function add_counts(a bigint[], b bigint[]) returns bigint[] language sql immutable parallel safe as $$
      select case when a = '{}' then b when b = '{}' then a else array(
        select coalesce(x, 0) + coalesce(y, 0) from unnest(a, b) with ordinality as pair (x, y, n) order by n
      ) end $$`.execute(db);
  await sql`
    create function merge_sketches(a bigint[], b bigint[]) returns bigint[] language sql immutable parallel safe as $$
      select case when a @> b then a when a = '{}' then b else array(
        select distinct hash from unnest(a || b) as hash order by hash limit 256
      ) end $$`.execute(db);
  await sql`
    create aggregate sum_counts (bigint[]) (sfunc = add_counts, stype = bigint[], initcond = '{}', parallel = safe)`.execute(
    db,
  );
  await sql`
    create aggregate merge_sketches (bigint[]) (
      sfunc = merge_sketches, stype = bigint[], initcond = '{}', parallel = safe)`.execute(db);

  // Of an account without device and mapping, of a device without mapping. The hours of mappings are in mapping_usage_hour.
  await sql`
    create table usage_sum (
      user_id       integer not null references user_account on delete cascade,
      device_id     integer references device on delete cascade,
      mapping_id    integer references mapping on delete cascade,
      unit          text not null check (unit in ('hour', 'day', 'month')),
      starts_at     timestamptz not null,
      bytes_in      bigint not null,
      bytes_out     bigint not null,
      requests      bigint not null,
      ok            bigint not null,
      client_errors bigint not null,
      server_errors bigint not null,
      failed        bigint not null,
      first_byte_ms double precision not null,
      answered      bigint not null,
      latency       bigint[] not null,
      visitors      bigint[] not null,
      networks      bigint[] not null,
      is_truncated  boolean not null,
      check (mapping_id is null or device_id is not null),
      unique nulls not distinct (user_id, device_id, mapping_id, unit, starts_at)
    )`.execute(db);
  await sql`create index usage_sum_device_idx on usage_sum (device_id)`.execute(db);
  await sql`create index usage_sum_mapping_idx on usage_sum (mapping_id)`.execute(db);
  await sql`create index usage_sum_unit_idx on usage_sum (unit, starts_at)`.execute(db);
  await sql`
    create index usage_sum_top_idx on usage_sum (user_id, unit, starts_at) where mapping_id is not null`.execute(db);

  await sql`
    insert into usage_sum
    select user_id, device_id, null, 'hour', hour, sum(bytes_in), sum(bytes_out), sum(requests), sum(ok),
      sum(client_errors), sum(server_errors), sum(failed), sum(first_byte_ms), sum(answered), '{}', '{}', '{}', false
    from mapping_usage_hour join mapping on mapping.id = mapping_id join device on device.id = device_id
    group by grouping sets ((user_id, hour), (user_id, device_id, hour))`.execute(db);
}
