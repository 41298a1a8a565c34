import { sql, type Kysely } from 'kysely';

/** How long each device was online, and how far the jobs of the statistics have come. */
export async function up(db: Kysely<never>): Promise<void> {
  // A time during which no server ran is not observed.
  await sql`
    create table device_uptime (
      device_id   integer not null references device on delete cascade,
      unit        text not null check (unit in ('hour', 'day')),
      starts_at   timestamptz not null,
      online_ms   bigint not null,
      observed_ms bigint not null,
      primary key (device_id, unit, starts_at)
    )`.execute(db);
  await sql`create index device_uptime_unit_idx on device_uptime (unit, starts_at)`.execute(db);
  await sql`create table statistics_progress (name text primary key, done_until timestamptz not null)`.execute(db);
  await sql`
    insert into statistics_progress
    select 'day', date_trunc('day', coalesce(min(hour), now()), 'Asia/Shanghai') from mapping_usage_hour
    union all
    select 'month', date_trunc('month', coalesce(min(hour), now()), 'Asia/Shanghai') from mapping_usage_hour
    union all
    select 'uptime', now()`.execute(db);
}
