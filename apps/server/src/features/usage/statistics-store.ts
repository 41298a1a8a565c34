import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { type Period, type Progress, type Span, spansOf } from './period.ts';
import { sumNames, sums } from './sum-columns-store.ts';
import { startOf } from './usage-time-store.ts';

/** Whose usage it is: of an account, one of its devices or one of its mappings. */
export type UsageScope = { userId: number; deviceId?: number | undefined; mappingId?: number | undefined };

/** A sketch counts by its size and its largest hash; the smallest 256 hashes themselves stay in the database. */
export type UsageSums = {
  bytesIn: number;
  bytesOut: number;
  requests: number;
  ok: number;
  clientErrors: number;
  serverErrors: number;
  failed: number;
  latency: number[];
  visitorSize: number;
  visitorLargest: number | null;
  networkSize: number;
  networkLargest: number | null;
  isTruncated: boolean;
};

export type UsagePoint = UsageSums & { at: Date };

export async function readProgress(db: Db): Promise<Progress & { now: Date }> {
  const { rows } = await sql<Progress & { now: Date }>`
    select day.done_until as day, month.done_until as month, now() as now
    from statistics_progress as day, statistics_progress as month
    where day.name = 'day' and month.name = 'month'`.execute(db);
  return rows[0] as Progress & { now: Date }; // a migration has inserted both
}

function ofScope({ userId, deviceId, mappingId }: UsageScope): RawBuilder<boolean> {
  if (mappingId !== undefined) return sql`user_id = ${userId} and mapping_id = ${mappingId}`;
  const device = deviceId === undefined ? sql`device_id is null` : sql`device_id = ${deviceId}`;
  return sql`user_id = ${userId} and ${device} and mapping_id is null`;
}

/** The hours of mappings have a table of their own. */
function rowsOf(scope: UsageScope, { unit, from, to }: Span): RawBuilder<unknown> {
  if (unit === 'hour' && scope.mappingId !== undefined)
    return sql`select hour as starts_at, ${sumNames}, ${sketchSizes} from mapping_usage_hour
      where mapping_id = ${scope.mappingId} and hour >= ${from} and hour < ${to}`;
  return sql`select starts_at, ${sumNames}, ${sizeNames} from usage_sum
    where unit = ${sql.lit(unit)} and ${ofScope(scope)} and starts_at >= ${from} and starts_at < ${to}`;
}

function allRows(scope: UsageScope, spans: readonly Span[]): RawBuilder<unknown> {
  return sql.join(
    spans.map((span) => rowsOf(scope, span)),
    sql` union all `,
  );
}

// Sums are numeric, which the driver returns as text.
const figures = sql`
  bytes_in::bigint, bytes_out::bigint, requests::bigint, ok::bigint, client_errors::bigint, server_errors::bigint,
  failed::bigint, latency::float8[], is_truncated`;
/** Of what was added up just now. Stored rows have these as columns. */
const sketchSizes = sql`
  cardinality(visitors) as visitor_size, visitors[cardinality(visitors)] as visitor_largest,
  cardinality(networks) as network_size, networks[cardinality(networks)] as network_largest`;
const sizeNames = sql`visitor_size, visitor_largest, network_size, network_largest`;

/** The usage of each hour, day or month with any. What the jobs have not added up yet is read from finer rows. */
export async function listUsage(
  db: Db,
  scope: UsageScope,
  { period, progress }: { period: Period; progress: Progress },
): Promise<UsagePoint[]> {
  const spans = spansOf(period, period.unit, progress);
  const finer = spans.filter(({ unit }) => unit !== period.unit);
  const parts = spans
    .filter(({ unit }) => unit === period.unit)
    .map((span) => sql`select starts_at as at, ${figures}, ${sizeNames} from (${rowsOf(scope, span)}) as row`);
  if (finer.length > 0)
    parts.push(sql`
      select at, ${figures}, ${sketchSizes} from (
        select ${startOf(period.unit, sql`starts_at`)}, ${sums} from (${allRows(scope, finer)}) as part group by 1
      ) as grouped (at, ${sumNames})`);
  const { rows } = await sql<UsagePoint>`${sql.join(parts, sql` union all `)} order by at`.execute(db);
  return rows;
}

/** The smallest hashes of the union of the column's sketches. */
const union = (column: 'visitors' | 'networks') => sql`
  array(select distinct hash from part, unnest(${sql.ref(column)}) as hash order by hash limit 256)`;

/** All the usage of a time. Each visitor and network counts once. */
export async function sumUsage(
  db: Db,
  scope: UsageScope,
  { time, progress }: { time: { from: Date; to: Date }; progress: Progress },
): Promise<UsageSums | undefined> {
  const { rows } = await sql<UsageSums>`
    with part as materialized (${allRows(scope, spansOf(time, 'month', progress))})
    select ${figures}, ${sketchSizes} from (
      select sum(bytes_in), sum(bytes_out), sum(requests), sum(ok), sum(client_errors), sum(server_errors), sum(failed),
        sum(first_byte_ms), sum(answered), sum_counts(latency), ${union('visitors')}, ${union('networks')},
        bool_or(is_truncated)
      from part having count(*) > 0
    ) as total (${sumNames})`.execute(db);
  return rows[0];
}

export type TopMapping = { mappingId: number; deviceId: number; bytes: number; requests: number };

/** The mappings with the most bytes. */
export async function listTopMappings(
  db: Db,
  scope: UsageScope,
  { period, progress, limit }: { period: Period; progress: Progress; limit: number },
): Promise<TopMapping[]> {
  const device = scope.deviceId === undefined ? sql`true` : sql`device_id = ${scope.deviceId}`;
  const parts = spansOf(period, 'month', progress).map(({ unit, from, to }) =>
    unit === 'hour'
      ? sql`
        select mapping_id, sum(bytes_in + bytes_out) as bytes, sum(requests) as requests
        from mapping_usage_hour join mapping on mapping.id = mapping_id join device on device.id = device_id
        where user_id = ${scope.userId} and ${device} and hour >= ${from} and hour < ${to} group by mapping_id`
      : sql`
        select mapping_id, sum(bytes_in + bytes_out) as bytes, sum(requests) as requests from usage_sum
        where user_id = ${scope.userId} and ${device} and mapping_id is not null and unit = ${sql.lit(unit)}
          and starts_at >= ${from} and starts_at < ${to}
        group by mapping_id`,
  );
  const { rows } = await sql<TopMapping>`
    select mapping_id, device_id, sum(bytes)::bigint as bytes, sum(requests)::bigint as requests
    from (${sql.join(parts, sql` union all `)}) as part join mapping on mapping.id = mapping_id
    group by mapping_id, device_id order by bytes desc, mapping_id limit ${limit}`.execute(db);
  return rows;
}
