import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { beginOf, type Period, type Progress, type Span, spansOf } from './period.ts';
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

/** By day, also for hours. An account has rows of its own. */
export async function listTopPlaces(db: Db, scope: UsageScope, period: Period, limit: number): Promise<TopPlace[]> {
  const isAccount = scope.deviceId === undefined && scope.mappingId === undefined;
  const table = isAccount ? 'usageAccountPlaceDay' : 'usagePlaceDay';
  const { rows } = await sql<TopPlace>`
    select place, sum(requests)::bigint as requests from ${sql.table(table)}
    where ${isOf(scope, table)} and ${isInDays(period)}
    group by place order by requests desc, place limit ${limit}`.execute(db);
  return rows;
}

/** `share` and `bars` are online of observed time, at most 1; null: not observed. */
export type UptimeRow = { deviceId: number; name: string; share: number | null; bars: (number | null)[] };

type StoredUptime = { deviceId: number; name: string; share: number | null; bar: number[]; shares: (number | null)[] };

/** The uptime of the devices of the scope, as a whole and for each hour, or each day in Beijing, since `from`. */
export async function listUptime(
  db: Db,
  scope: UsageScope,
  { unit, from, bars, progress }: { unit: 'hour' | 'day'; from: Date; bars: number; progress: Progress },
): Promise<UptimeRow[]> {
  const time = { from, to: beginOf(unit, from, { plus: bars }) };
  const parts = spansOf(time, unit, progress).map((span) => uptimeIn(span, { unit, from }));
  // Shares are rounded down: one below 1 is never 1. The driver reads JSON ten times as fast as arrays.
  const { rows } = await sql<StoredUptime>`
    with owned as (select id, name from device where user_id = ${scope.userId} ${isDeviceOf(scope)}),
    known as (
      select device_id, sum(online_ms) / nullif(sum(observed_ms), 0) as share, json_agg(bar) as bar,
        json_agg(floor(online_ms / nullif(observed_ms, 0) * 10000) / 10000) as shares
      from (${sql.join(parts, sql` union all `)}) as part group by device_id
    )
    select id as device_id, name, share, coalesce(bar, '[]') as bar, coalesce(shares, '[]') as shares
    from owned left join known on device_id = id order by name, id`.execute(db);
  return rows.map(({ bar, shares, ...row }) => {
    const all = Array.from({ length: bars }, (): number | null => null);
    for (const [index, at] of bar.entries()) all[at] = shares[index] ?? null;
    return { ...row, bars: all };
  });
}

/** Hours of a day are added up; there are no several rows of the unit itself. */
function uptimeIn({ unit, from, to }: Span, bars: { unit: 'hour' | 'day'; from: Date }): RawBuilder<unknown> {
  const seconds = sql`date_part('epoch', starts_at - ${bars.from}::timestamptz)`;
  const bar = sql`floor(${seconds} / ${bars.unit === 'hour' ? 3_600 : 86_400})::integer`;
  const rows = sql`
    from device_uptime join owned on owned.id = device_id
    where unit = ${sql.lit(unit)} and starts_at >= ${from} and starts_at < ${to}`;
  return unit === bars.unit
    ? sql`select device_id, ${bar} as bar, online_ms::float8, observed_ms::float8 ${rows}`
    : sql`
      select device_id, ${bar} as bar, sum(online_ms)::float8 as online_ms, sum(observed_ms)::float8 as observed_ms ${rows}
      group by 1, 2`;
}

function isDeviceOf({ deviceId, mappingId }: UsageScope): RawBuilder<unknown> {
  if (mappingId !== undefined) return sql`and device.id = (select device_id from mapping where id = ${mappingId})`;
  return deviceId === undefined ? sql`` : sql`and device.id = ${deviceId}`;
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
