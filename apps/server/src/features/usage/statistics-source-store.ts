import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Period, UsageScope } from './statistics-store.ts';
import { startOf } from './usage-time-store.ts';

function isOf({ userId, deviceId, mappingId }: UsageScope, table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  if (mappingId !== undefined) return sql`${column('userId')} = ${userId} and ${column('mappingId')} = ${mappingId}`;
  if (deviceId !== undefined) return sql`${column('userId')} = ${userId} and ${column('deviceId')} = ${deviceId}`;
  return sql`${column('userId')} = ${userId}`;
}

export type TopVisitor = { who: string | null; grantedBy: string | null; requests: number };

/** An account is one visitor, a browser without one another. By day, also for hours. */
export async function listTopVisitors(
  db: Db,
  scope: UsageScope,
  { from }: Period,
  limit: number,
): Promise<TopVisitor[]> {
  const { rows } = await sql<TopVisitor>`
    with visitor as (
      select verification_id, sum(requests) as requests from usage_visitor_day
      where ${isOf(scope, 'usageVisitorDay')} and day >= ${startOf('day', sql`${from}::timestamptz`)}
      group by verification_id
    )
    select max(who) as who, max(granted_by) as granted_by, sum(requests)::bigint as requests
    from visitor left join verification on verification.id = verification_id
    group by case when verification.id is null then 'deleted' when verification.user_id is null
      then 'verification ' || verification.id else 'user ' || verification.user_id end
    order by requests desc limit ${limit}`.execute(db);
  return rows;
}

export type TopPlace = { place: string; requests: number };

/** By day, also for hours. */
export async function listTopPlaces(db: Db, scope: UsageScope, { from }: Period, limit: number): Promise<TopPlace[]> {
  const { rows } = await sql<TopPlace>`
    select place, sum(requests)::bigint as requests from usage_place_day
    where ${isOf(scope, 'usagePlaceDay')} and day >= ${startOf('day', sql`${from}::timestamptz`)}
    group by place order by requests desc, place limit ${limit}`.execute(db);
  return rows;
}

export type UptimeRow = { deviceId: number; name: string; at: Date | null; onlineMs: number; observedMs: number };

/** The hours, or the days in Beijing, of the devices of the scope; a device without any has one row without a time. */
export async function listUptime(db: Db, scope: UsageScope, unit: 'hour' | 'day', from: Date): Promise<UptimeRow[]> {
  const device =
    scope.mappingId !== undefined
      ? sql`and device.id = (select device_id from mapping where id = ${scope.mappingId})`
      : scope.deviceId !== undefined
        ? sql`and device.id = ${scope.deviceId}`
        : sql``;
  const done = sql`(select done_until from statistics_progress where name = 'day')`;
  const source =
    unit === 'hour'
      ? sql`unit = 'hour'`
      : sql`(unit = 'day' and starts_at < ${done} or unit = 'hour' and starts_at >= ${done})`;
  const { rows } = await sql<UptimeRow>`
    select device.id as device_id, name, ${startOf(unit, sql`starts_at`)} as at,
      coalesce(sum(online_ms), 0)::bigint as online_ms, coalesce(sum(observed_ms), 0)::bigint as observed_ms
    from device left join device_uptime on device_id = device.id and ${source} and starts_at >= ${from}
    where user_id = ${scope.userId} ${device}
    group by 1, 2, 3 order by name, device.id, at`.execute(db);
  return rows;
}

export type RecentRow = { step: number; bytesIn: number; bytesOut: number; requests: number; errors: number };

/** The usage since `from` in steps. */
export async function listRecent(db: Db, scope: UsageScope, from: Date, stepMs: number): Promise<RecentRow[]> {
  const { rows } = await sql<RecentRow>`
    select floor(extract(epoch from at - ${from}::timestamptz) * 1000 / ${stepMs})::integer as step,
      sum(bytes_in)::bigint as bytes_in, sum(bytes_out)::bigint as bytes_out, sum(requests)::bigint as requests,
      sum(errors)::bigint as errors
    from usage_recent where ${isOf(scope, 'usageRecent')} and at >= ${from} group by 1`.execute(db);
  return rows;
}
