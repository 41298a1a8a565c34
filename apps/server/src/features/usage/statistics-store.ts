import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { sumNames, sums } from './sum-columns-store.ts';
import { startOf, type UsageUnit } from './usage-time-store.ts';

/** Whose usage it is: of an account, one of its devices or one of its mappings. */
export type UsageScope = { userId: number; deviceId?: number | undefined; mappingId?: number | undefined };

/** `from` and `to` are begins of the unit, and `previousFrom` that of the period before. */
export type Period = { unit: UsageUnit; previousFrom: Date; from: Date; to: Date; now: Date };

export type UsageRow = {
  at: Date;
  bytesIn: number;
  bytesOut: number;
  requests: number;
  ok: number;
  clientErrors: number;
  serverErrors: number;
  failed: number;
  latency: number[];
  visitors: number[];
  networks: number[];
  isTruncated: boolean;
};

/** The last `points` hours, days or months, the present one included. */
export async function readPeriod(db: Db, unit: UsageUnit, points: number): Promise<Period> {
  const step = sql`${`1 ${unit}`}::interval`;
  const begin = sql`date_trunc(${unit}, now() at time zone 'Asia/Shanghai')`;
  const before = (count: number) => sql`(${begin} - ${count} * ${step}) at time zone 'Asia/Shanghai'`;
  const { rows } = await sql<Omit<Period, 'unit'>>`
    select ${before(2 * points - 1)} as previous_from, ${before(points - 1)} as from, ${before(-1)} as to, now() as now`.execute(
    db,
  );
  return { unit, ...(rows[0] as Omit<Period, 'unit'>) }; // one row
}

const doneUntil = (unit: 'day' | 'month'): RawBuilder<Date> =>
  sql<Date>`(select done_until from statistics_progress where name = ${sql.lit(unit)})`;

function ofScope({ userId, deviceId, mappingId }: UsageScope): RawBuilder<boolean> {
  if (mappingId !== undefined) return sql`user_id = ${userId} and mapping_id = ${mappingId}`;
  const device = deviceId === undefined ? sql`device_id is null` : sql`device_id = ${deviceId}`;
  return sql`user_id = ${userId} and ${device} and mapping_id is null`;
}

/** The usage of each hour, day or month with any. What the jobs have not added up yet is read from the hours. */
export async function listUsage(db: Db, scope: UsageScope, { unit, previousFrom, to }: Period): Promise<UsageRow[]> {
  const isIn = (from: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
    sql`starts_at >= ${from} and starts_at < ${until}`;
  const begin = sql`${previousFrom}::timestamptz`;
  const end = sql`${to}::timestamptz`;
  const sumsOf = (from: UsageUnit, span: RawBuilder<unknown>) => sql`
    select starts_at, ${sumNames} from usage_sum
    where unit = ${sql.lit(from)} and ${ofScope(scope)} and ${span}`;
  const hours = (from: RawBuilder<unknown>) =>
    scope.mappingId === undefined
      ? sumsOf('hour', isIn(from, end))
      : sql`select hour as starts_at, ${sumNames} from mapping_usage_hour
          where mapping_id = ${scope.mappingId} and hour >= ${from} and hour < ${end}`;
  const recent = hours(unit === 'hour' ? begin : sql`greatest(${begin}, ${doneUntil('day')})`);
  const parts = [recent];
  if (unit === 'day') parts.push(sumsOf('day', isIn(begin, doneUntil('day'))));
  if (unit === 'month') {
    parts.push(sumsOf('month', isIn(begin, doneUntil('month'))));
    parts.push(sumsOf('day', isIn(sql`greatest(${begin}, ${doneUntil('month')})`, doneUntil('day'))));
  }
  const { rows } = await sql<UsageRow>`
    select at, bytes_in::bigint, bytes_out::bigint, requests::bigint, ok::bigint, client_errors::bigint,
      server_errors::bigint, failed::bigint, latency::float8[], visitors::float8[], networks::float8[], is_truncated
    from (
      select ${startOf(unit, sql`starts_at`)}, ${sums} from (${sql.join(parts, sql` union all `)}) as part group by 1
    ) as grouped (at, ${sumNames}) order by at`.execute(db);
  return rows;
}

export type TopMapping = { mappingId: number; deviceId: number; bytes: number; requests: number };

/** The mappings with the most bytes. Whole months are read as such, so that two years are fast. */
export async function listTopMappings(db: Db, scope: UsageScope, period: Period, limit: number): Promise<TopMapping[]> {
  const from = sql`${period.from}::timestamptz`;
  const device = scope.deviceId === undefined ? sql`true` : sql`device_id = ${scope.deviceId}`;
  const month = sql`(date_trunc('month', ${from} - interval '1 microsecond', 'Asia/Shanghai') at time zone 'Asia/Shanghai'
    + interval '1 month') at time zone 'Asia/Shanghai'`;
  const sumsOf = (unit: 'day' | 'month', span: RawBuilder<unknown>) => sql`
    select mapping_id, bytes_in + bytes_out as bytes, requests from usage_sum
    where user_id = ${scope.userId} and ${device} and mapping_id is not null and unit = ${sql.lit(unit)} and ${span}`;
  const hoursFrom = period.unit === 'hour' ? from : sql`greatest(${from}, ${doneUntil('day')})`;
  const hours = sql`
    select mapping_id, bytes_in + bytes_out as bytes, requests
    from mapping_usage_hour join mapping on mapping.id = mapping_id join device on device.id = device_id
    where user_id = ${scope.userId} and ${device} and hour >= ${hoursFrom}`;
  const finished = [
    sumsOf('month', sql`starts_at >= ${month} and starts_at < ${doneUntil('month')}`),
    sumsOf('day', sql`starts_at >= ${from} and starts_at < least(${month}, ${doneUntil('day')})`),
    sumsOf('day', sql`starts_at >= greatest(${month}, ${doneUntil('month')}) and starts_at < ${doneUntil('day')}`),
  ];
  const parts = period.unit === 'hour' ? [hours] : [hours, ...finished];
  const { rows } = await sql<TopMapping>`
    select mapping_id, device_id, sum(bytes)::bigint as bytes, sum(requests)::bigint as requests
    from (${sql.join(parts, sql` union all `)}) as part join mapping on mapping.id = mapping_id
    group by mapping_id, device_id order by bytes desc, mapping_id limit ${limit}`.execute(db);
  return rows;
}
