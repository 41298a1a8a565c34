import type { Db } from '../../db/driver.ts';
import { listUsageOfLastDay, type UsageSum } from '../usage/index.ts';
import type { MappingRow } from './mapping-store.ts';

export type MappingWithUsage = { row: MappingRow; usage: UsageSum };

/** Adds what went over each mapping in the last 24 hours, with one query for all of them. */
export async function withUsage(db: Db, rows: MappingRow[]): Promise<MappingWithUsage[]> {
  const usage = await listUsageOfLastDay(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ row, usage: usage.get(row.id) ?? { bytesIn: 0, bytesOut: 0, requests: 0 } }));
}
