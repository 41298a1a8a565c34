import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { beginOf, type Period, type Progress, spansOf } from './period.ts';
import type { UsageScope } from './statistics-store.ts';

function isOf({ userId, deviceId, mappingId }: UsageScope, table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  if (mappingId !== undefined) return sql`${column('userId')} = ${userId} and ${column('mappingId')} = ${mappingId}`;
  if (deviceId !== undefined) return sql`${column('userId')} = ${userId} and ${column('deviceId')} = ${deviceId}`;
  return sql`${column('userId')} = ${userId}`;
}

export type TopVisitor = { who: string | null; grantedBy: string | null; requests: number };

/** Whole days, also of hours. */
function isInDays({ from, to }: Period): RawBuilder<boolean> {
  const last = beginOf('day', new Date(to.getTime() - 1));
  return sql`(day >= ${beginOf('day', from)} and day <= ${last})`;
}

/** An account is one visitor, a browser without one another. By day, also for hours. */
export async function listTopVisitors(db: Db, scope: UsageScope, period: Period, limit: number): Promise<TopVisitor[]> {
  const { rows } = await sql<TopVisitor>`
    with visitor as (
      select verification_id, sum(requests) as requests from usage_visitor_day
      where ${isOf(scope, 'usageVisitorDay')} and ${isInDays(period)}
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
export async function listTopPlaces(db: Db, scope: UsageScope, period: Period, limit: number): Promise<TopPlace[]> {
  const { rows } = await sql<TopPlace>`
    select place, sum(requests)::bigint as requests from usage_place_day
    where ${isOf(scope, 'usagePlaceDay')} and ${isInDays(period)}
    group by place order by requests desc, place limit ${limit}`.execute(db);
  return rows;
}

/** `share` and `bars` are online of observed time, at most 1; null: not observed. */
export type UptimeRow = { deviceId: number; name: string; share: number | null; bars: (number | null)[] };

/** The uptime of the devices of the scope, as a whole and for each hour, or each day in Beijing, since `from`. */
export async function listUptime(
  db: Db,
  scope: UsageScope,
  { unit, from, bars, progress }: { unit: 'hour' | 'day'; from: Date; bars: number; progress: Progress },
): Promise<UptimeRow[]> {
  const device =
    scope.mappingId !== undefined
      ? sql`and device.id = (select device_id from mapping where id = ${scope.mappingId})`
      : scope.deviceId !== undefined
        ? sql`and device.id = ${scope.deviceId}`
        : sql``;
  const time = { from, to: beginOf(unit, from, { plus: bars }) };
  const parts = spansOf(time, unit, progress).map(
    (span) => sql`
      select device_id, starts_at, online_ms, observed_ms from device_uptime join owned on owned.id = device_id
      where unit = ${sql.lit(span.unit)} and starts_at >= ${span.from} and starts_at < ${span.to}`,
  );
  const seconds = sql`extract(epoch from starts_at - ${from}::timestamptz)`;
  const { rows } = await sql<UptimeRow>`
    with owned as (select id, name from device where user_id = ${scope.userId} ${device}),
    known as (
      select device_id, floor(${seconds} / ${unit === 'hour' ? 3_600 : 86_400})::integer as bar,
        sum(online_ms) as online_ms, sum(observed_ms) as observed_ms
      from (${sql.join(parts, sql` union all `)}) as part group by 1, 2
    )
    select id as device_id, name, (sum(online_ms) / nullif(sum(observed_ms), 0))::float8 as share,
      array_agg(trunc(online_ms / nullif(observed_ms, 0), 4)::float8 order by each.bar) as bars
    from owned cross join generate_series(0, ${bars}::integer - 1) as each (bar)
      left join known on known.device_id = owned.id and known.bar = each.bar
    group by id, name order by name, id`.execute(db);
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
