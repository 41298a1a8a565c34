import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

const sumNames = sql`
  bytes_in, bytes_out, requests, ok, client_errors, server_errors, failed, first_byte_ms, answered, latency, visitors,
  networks, is_truncated`;

const SHAPES = 500;

/** So many different numbers below 2^48, in order, which depend on `shape`. */
const sketch = (size: number) => sql`
  (select array_agg(n * (70368744177664 / ${size}::integer) - shape * 7919 % 1000000007 order by n)
   from generate_series(1, ${size}::integer) as n)`;

/** Of one point of a mapping, with the arrays of one of the shapes: making an array for each row takes too long. */
const figures = sql`
  requests * 900, requests * 48000, requests, requests * 93 / 100, requests * 5 / 100, requests / 100, requests / 100,
  requests * 60.0, requests, latency, visitors, networks, false`;

/**
 * Two years of usage and uptime of all mappings of an account: days and months, the hours of the last 90 days between 8 and
 * 24 o'clock, and places and visitors by day. The levels are not sums of each other, but have as much as if they were.
 */
export async function fillStatistics(database: Db, userId: number): Promise<void> {
  await database.transaction().execute(async (db) => await fill(db, userId));
}

async function fill(db: Db, userId: number): Promise<void> {
  // Millions of rows: checking three foreign keys of each takes longer than writing it.
  await sql`set local session_replication_role = replica`.execute(db);
  await sql`set local statement_timeout = 0`.execute(db);
  const today = sql`date_trunc('day', now(), 'Asia/Shanghai')`;
  await sql`
    create temporary view owned as
    select mapping.id::bigint as mapping_id, device.id::bigint as device_id, user_id
    from mapping join device on device.id = device_id where user_id = ${sql.lit(userId)}`.execute(db);
  await sql`
    create temporary table shapes as
    select shape, ${sketch(8)} as visitors, ${sketch(12)} as networks,
      (select array_agg(case when n between 6 and 16 then (20 + shape % 50) / (1 + abs(n - 9)) else 0 end order by n)
       from generate_series(0, 30) as n) as latency
    from generate_series(0, ${SHAPES}::bigint - 1) as shape`.execute(db);
  await fillHours(db, today);
  await fillSums(db, userId, today);
  await fillUptime(db, today);
  await fillSources(db, today);
  await sql`update statistics_progress set done_until = ${today} where name = 'day'`.execute(db);
  await sql`
    update statistics_progress set done_until = date_trunc('month', now(), 'Asia/Shanghai') where name = 'month'`.execute(
    db,
  );
  await sql`drop view owned`.execute(db);
  await sql`drop table shapes`.execute(db);
  await sql`analyze`.execute(db);
}

async function fillHours(db: Db, today: ReturnType<typeof sql>): Promise<void> {
  await sql`
    insert into mapping_usage_hour (mapping_id, hour, ${sumNames})
    select mapping_id, hour, ${figures}
    from (
      select mapping_id, hour, (20 + (mapping_id * 13 + extract(hour from hour)::bigint * 29 + extract(day from hour)::bigint * 7) % 60) as requests,
        (mapping_id * 31 + extract(epoch from hour)::bigint / 3600) % ${SHAPES}::bigint as shape
      from owned, generate_series(${today} - interval '89 days', now(), interval '1 hour') as hour
      where extract(hour from hour at time zone 'Asia/Shanghai') >= 8
    ) as base join shapes using (shape)
    order by hour`.execute(db);
}

async function fillSums(db: Db, userId: number, today: ReturnType<typeof sql>): Promise<void> {
  const days = sql`generate_series(${today} - interval '730 days', ${today} - interval '1 day', interval '1 day')`;
  const month = sql`date_trunc('month', now(), 'Asia/Shanghai')`;
  const months = sql`(select ${month} - make_interval(months => n) from generate_series(1, 24) as n)`;
  for (const { unit, times } of [
    { unit: 'day', times: days },
    { unit: 'month', times: months },
  ])
    await sql`
      insert into usage_sum (user_id, device_id, mapping_id, unit, starts_at, ${sumNames})
      select user_id, device_id, mapping_id, ${unit}, starts_at, ${figures}
      from (
        select owned.*, starts_at,
          400 + (mapping_id * 131 + extract(doy from starts_at)::bigint * 17) % 900 as requests,
          (mapping_id * 31 + extract(epoch from starts_at)::bigint / 86400) % ${SHAPES}::bigint as shape
        from owned, ${times} as each (starts_at)
      ) as base join shapes using (shape)
      order by starts_at`.execute(db);
  const added = sql`
    sum(bytes_in), sum(bytes_out), sum(requests), sum(ok), sum(client_errors), sum(server_errors), sum(failed),
    sum(first_byte_ms), sum(answered)`;
  await sql`
    insert into usage_sum (user_id, device_id, unit, starts_at, ${sumNames})
    select user_id, device_id, 'hour', hour, ${added}, min(latency), min(visitors), min(networks), false
    from mapping_usage_hour join owned using (mapping_id) group by user_id, device_id, hour order by hour`.execute(db);
  await sql`
    insert into usage_sum (user_id, device_id, unit, starts_at, ${sumNames})
    select user_id, device_id, unit, starts_at, ${added}, min(latency), min(visitors), min(networks), false
    from usage_sum where user_id = ${userId} and mapping_id is not null
    group by user_id, device_id, unit, starts_at order by starts_at`.execute(db);
  await sql`
    insert into usage_sum (user_id, unit, starts_at, ${sumNames})
    select user_id, unit, starts_at, ${added}, (select array_agg(count * 20) from unnest(min(latency)) as count),
      (select ${sketch(256)} from (select extract(epoch from starts_at)::bigint / 3600 as shape) as base),
      (select ${sketch(256)} from (select extract(epoch from starts_at)::bigint / 3600 + 7 as shape) as base), false
    from usage_sum where user_id = ${userId} and mapping_id is null and device_id is not null
    group by user_id, unit, starts_at`.execute(db);
}

/** Each device was away for some minutes in one hour of a week. */
async function fillUptime(db: Db, today: ReturnType<typeof sql>): Promise<void> {
  const devices = sql`(select distinct device_id from owned) as device`;
  await sql`
    insert into device_uptime (device_id, unit, starts_at, online_ms, observed_ms)
    select device_id, 'hour', hour, case when (device_id * 7 + extract(epoch from hour)::bigint / 3600) % 168 = 0
      then 3000000 else 3600000 end, 3600000
    from ${devices}, generate_series(${today} - interval '89 days', now(), interval '1 hour') as hour
    order by hour
    on conflict do nothing`.execute(db);
  await sql`
    insert into device_uptime (device_id, unit, starts_at, online_ms, observed_ms)
    select device_id, 'day', day, case when (device_id + extract(doy from day)::bigint) % 7 = 0
      then 85800000 else 86400000 end, 86400000
    from ${devices}, generate_series(${today} - interval '730 days', ${today} - interval '1 day', interval '1 day') as day
    order by day
    on conflict do nothing`.execute(db);
}

async function fillSources(db: Db, today: ReturnType<typeof sql>): Promise<void> {
  const days = sql`generate_series(${today} - interval '89 days', ${today}, interval '1 day') as day`;
  await sql`
    insert into usage_place_day (user_id, device_id, mapping_id, day, place, requests)
    select user_id, device_id, mapping_id, day, (array['广东省深圳市', '浙江省杭州市', '北京市', '四川省成都市', '日本', ''])[1 + (mapping_id + n) % 6],
      400 / n
    from owned, ${days}, generate_series(1, 2) as n
    order by day`.execute(db);
  await sql`
    insert into usage_account_place_day (user_id, day, place, requests)
    select user_id, day, place, sum(requests) from usage_place_day group by user_id, day, place`.execute(db);
  const { rows } = await sql<{ first: number }>`
    insert into verification (mapping_id, owner_id, device_id, host, visitor_ip, user_agent, expires_at, cookie_expires_at,
      granted_by, who)
    select mapping_id, user_id, device_id, 'nas.localhost', '203.0.113.7', '', now() + interval '2 days',
      now() + interval '2 days',
      (array['password', 'share', 'member'])[1 + (mapping_id + n) % 3], (array['', '家人', '13800138000'])[1 + (mapping_id + n) % 3]
    from owned, generate_series(1, 2) as n returning id as first`.execute(db);
  if (rows.length === 0) return;
  await sql`
    insert into usage_visitor_day (user_id, device_id, mapping_id, day, verification_id, requests)
    select owned.user_id, owned.device_id, owned.mapping_id, day, verification.id, 100 + verification.id % 50
    from verification join owned on owned.mapping_id = verification.mapping_id, ${days}
    order by day`.execute(db);
}
