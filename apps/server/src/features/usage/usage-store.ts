import type { UsageEntry } from '@tongtu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { addExcluded, sumNames, sums } from './sum-columns-store.ts';
import type { UsageSources } from './usage-source.ts';
import { startOf } from './usage-time-store.ts';

/**
 * Locks the mappings that exist until the transaction ends, and returns their ids. The order is that of a deletion: account,
 * device, mapping, each by id. So neither a deletion nor the report of another relay can deadlock.
 */
export async function lockMappingsForKeyShare(tx: Db, mappingIds: number[]): Promise<number[]> {
  const wanted = sql`mapping.id = any(${mappingIds}::bigint[])`;
  await sql`
    select from user_account where id in (
      select user_id from device join mapping on mapping.device_id = device.id where ${wanted})
    order by id for key share`.execute(tx);
  await sql`
    select from device where id in (select device_id from mapping where ${wanted}) order by id for key share`.execute(
    tx,
  );
  const { rows } = await sql<{ id: number }>`select id from mapping where ${wanted} order by id for key share`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** The key of the advisory lock that separates reports from the job that adds up finished hours. */
export const ROLL_UP_LOCK = sql.lit(7_240_061);

/** Returns the time under which a report is stored. No hour that was added up before can still get it. */
export async function waitForRollUp(tx: Db): Promise<Date> {
  await sql`select pg_advisory_xact_lock_shared(${ROLL_UP_LOCK})`.execute(tx);
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx);
  return (rows[0] as { at: Date }).at; // one row
}

/** Waits until all reports that were being stored are, and keeps new ones waiting until the transaction ends. */
export async function waitForReports(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ROLL_UP_LOCK})`.execute(tx);
}

export type Counted = { entries: UsageEntry[]; sources: UsageSources[]; at: Date };

/** The entries and their sources as rows; a mapping may have several. */
function entryRows({ entries, sources }: Pick<Counted, 'entries' | 'sources'>): RawBuilder<unknown> {
  const rows = entries.map((entry, at) => toColumns(entry, sources[at]));
  return sql`
    jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
      mapping_id bigint, bytes_in bigint, bytes_out bigint, requests bigint, ok bigint, client_errors bigint,
      server_errors bigint, failed bigint, first_byte_ms double precision, answered bigint, latency bigint[],
      visitors bigint[], networks bigint[], is_truncated boolean)`;
}

/** Adds the entries of mappings that are locked. Rows are written by id, so that reports of two relays cannot deadlock. */
export async function addUsage(tx: Db, counted: Counted): Promise<void> {
  await sql`
    insert into mapping_usage_hour as total (mapping_id, hour, ${sumNames})
    select mapping_id, ${startOf('hour', sql`${counted.at}::timestamptz`)}, ${sums}
    from ${entryRows(counted)}
    group by mapping_id order by mapping_id
    on conflict (mapping_id, hour) do update set ${addExcluded}`.execute(tx);
}

/** Adds the entries to the hour of their devices and accounts. */
export async function addToSums(tx: Db, counted: Counted): Promise<void> {
  await sql`
    insert into usage_sum as total (user_id, device_id, unit, starts_at, ${sumNames})
    select user_id, device_id, 'hour', ${startOf('hour', sql`${counted.at}::timestamptz`)}, ${sums}
    from ${entryRows(counted)} join mapping on mapping.id = row.mapping_id join device on device.id = device_id
    group by grouping sets ((user_id), (user_id, device_id)) order by user_id, device_id
    on conflict (user_id, device_id, mapping_id, unit, starts_at) do update set ${addExcluded}`.execute(tx);
}

/** Keeps the entries for the view of the last minutes. */
export async function addRecent(tx: Db, entries: UsageEntry[]): Promise<void> {
  await sql`
    insert into usage_recent (user_id, device_id, mapping_id, at, bytes_in, bytes_out, requests, errors)
    select user_id, device_id, mapping_id, clock_timestamp(), row.bytes_in, row.bytes_out, row.requests, row.errors
    from jsonb_to_recordset(${JSON.stringify(entries.map(toRecent))}::jsonb) as row(
      mapping_id bigint, bytes_in bigint, bytes_out bigint, requests bigint, errors bigint)
    join mapping on mapping.id = mapping_id join device on device.id = device_id`.execute(tx);
}

// The console shows usage of this time.
const usageRetention = sql`interval '90 days'`;
// Days and months.
const sumRetention = sql`interval '2 years'`;
// Hours are kept until they are added up.
const dayDoneUntil = sql<Date>`(select done_until from statistics_progress where name = 'day')`;
// A relay does not repeat a report that is older.
const reportRetention = sql`interval '30 days'`;

/** The view of the last minutes needs five of them. */
export async function deleteOldRecent(db: Db): Promise<void> {
  await db
    .deleteFrom('usageRecent')
    .where('at', '<', sql<Date>`now() - interval '10 minutes'`)
    .execute();
}

export async function deleteOldUsage(db: Db): Promise<void> {
  await db
    .deleteFrom('mappingUsageHour')
    .where('hour', '<', sql<Date>`now() - ${usageRetention}`)
    .where('hour', '<', dayDoneUntil)
    .execute();
  await db
    .deleteFrom('usageSum')
    .where('unit', '=', 'hour')
    .where('startsAt', '<', sql<Date>`now() - ${usageRetention}`)
    .where('startsAt', '<', dayDoneUntil)
    .execute();
  await db
    .deleteFrom('usageSum')
    .where('unit', '!=', 'hour')
    .where('startsAt', '<', sql<Date>`now() - ${sumRetention}`)
    .execute();
  await db
    .deleteFrom('deviceUptime')
    .where('unit', '=', 'hour')
    .where('startsAt', '<', sql<Date>`now() - ${usageRetention}`)
    .where('startsAt', '<', dayDoneUntil)
    .execute();
  await db
    .deleteFrom('deviceUptime')
    .where('unit', '=', 'day')
    .where('startsAt', '<', sql<Date>`now() - ${sumRetention}`)
    .execute();
  for (const table of ['usagePlaceDay', 'usageAccountPlaceDay', 'usageVisitorDay'] as const)
    await db
      .deleteFrom(table)
      .where('day', '<', sql<Date>`now() - ${usageRetention}`)
      .execute();
  await db
    .deleteFrom('usageReport')
    .where('storedAt', '<', sql<Date>`now() - ${reportRetention}`)
    .execute();
}

function toRecent(entry: UsageEntry) {
  return {
    mapping_id: entry.mappingId,
    bytes_in: entry.bytesIn,
    bytes_out: entry.bytesOut,
    requests: entry.requests,
    errors: entry.serverErrors + entry.failed,
  };
}

function toColumns(entry: UsageEntry, sources: UsageSources | undefined) {
  return {
    mapping_id: entry.mappingId,
    bytes_in: entry.bytesIn,
    bytes_out: entry.bytesOut,
    requests: entry.requests,
    ok: entry.ok,
    client_errors: entry.clientErrors,
    server_errors: entry.serverErrors,
    failed: entry.failed,
    first_byte_ms: entry.firstByteMs,
    answered: entry.answered,
    latency: entry.latency,
    visitors: sources?.visitors ?? [],
    networks: sources?.networks ?? [],
    is_truncated: entry.isTruncated,
  };
}
