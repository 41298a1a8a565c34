import type { UsageEntry } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type UsageSum = { bytesIn: number; bytesOut: number; requests: number };

/** False if this report, or a later one of the same start, is already stored. */
export async function claimReport(
  tx: Db,
  report: { relayId: string; bootId: string; sequence: number },
): Promise<boolean> {
  const { relayId, bootId, sequence } = report;
  // A concurrent copy of the report waits for this row's lock.
  const row = await tx
    .insertInto('usageReport')
    .values({ relayId, bootId, sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['relayId', 'bootId'])
        .doUpdateSet({ sequence, storedAt: sql`now()` })
        .where('usageReport.sequence', '<', sequence),
    )
    .returning('sequence')
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds the entries to the current hour. Ignores entries of mappings that do not exist. */
export async function addUsage(tx: Db, entries: UsageEntry[]): Promise<void> {
  // Rows are locked in the order of their ids, so that reports of two relays cannot deadlock.
  await sql`
    with entry as (
      select mapping_id, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(requests) as requests, sum(ok) as ok,
        sum(client_errors) as client_errors, sum(server_errors) as server_errors, sum(failed) as failed,
        sum(first_byte_ms) as first_byte_ms, sum(answered) as answered
      from jsonb_to_recordset(${JSON.stringify(entries.map(toColumns))}::jsonb) as row(
        mapping_id bigint, bytes_in bigint, bytes_out bigint, requests bigint, ok bigint, client_errors bigint,
        server_errors bigint, failed bigint, first_byte_ms double precision, answered bigint)
      group by mapping_id
    ), known as (
      select id from mapping where id in (select mapping_id from entry) order by id for key share
    )
    insert into mapping_usage_hour as total (
      mapping_id, hour, bytes_in, bytes_out, requests, ok, client_errors, server_errors, failed, first_byte_ms, answered)
    select id, date_trunc('hour', now(), 'UTC'), bytes_in, bytes_out, requests, ok, client_errors, server_errors, failed,
      first_byte_ms, answered
    from known join entry on entry.mapping_id = known.id
    order by id
    on conflict (mapping_id, hour) do update set
      bytes_in = total.bytes_in + excluded.bytes_in,
      bytes_out = total.bytes_out + excluded.bytes_out,
      requests = total.requests + excluded.requests,
      ok = total.ok + excluded.ok,
      client_errors = total.client_errors + excluded.client_errors,
      server_errors = total.server_errors + excluded.server_errors,
      failed = total.failed + excluded.failed,
      first_byte_ms = total.first_byte_ms + excluded.first_byte_ms,
      answered = total.answered + excluded.answered`.execute(tx);
}

/** The usage of the last 24 clock hours, including the current one. A mapping without usage is missing. */
export async function listUsageOfLastDay(db: Db, mappingIds: number[]): Promise<Map<number, UsageSum>> {
  if (mappingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mappingUsageHour')
    .where((eb) => eb('mappingId', '=', eb.fn.any(sql<number[]>`${mappingIds}::integer[]`)))
    .where('hour', '>', sql<Date>`now() - interval '24 hours'`)
    .groupBy('mappingId')
    // The sum of a bigint is a numeric, which the driver returns as text.
    .select('mappingId')
    .select(sql<number>`sum(bytes_in)::bigint`.as('bytesIn'))
    .select(sql<number>`sum(bytes_out)::bigint`.as('bytesOut'))
    .select(sql<number>`sum(requests)::bigint`.as('requests'))
    .execute();
  return new Map(rows.map(({ mappingId, ...sum }) => [mappingId, sum]));
}

// The console shows usage of this time.
const usageRetention = sql`interval '90 days'`;
// A relay does not repeat a report that is older.
const reportRetention = sql`interval '30 days'`;

export async function deleteOldUsage(db: Db): Promise<void> {
  await db
    .deleteFrom('mappingUsageHour')
    .where('hour', '<', sql<Date>`now() - ${usageRetention}`)
    .execute();
  await db
    .deleteFrom('usageReport')
    .where('storedAt', '<', sql<Date>`now() - ${reportRetention}`)
    .execute();
}

function toColumns(entry: UsageEntry) {
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
  };
}
