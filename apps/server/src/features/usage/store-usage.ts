import type { UsageEntry } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { addUsage, claimReport } from './usage-store.ts';

export type UsageReport = { relayId: string; bootId: string; sequence: number; entries: UsageEntry[] };

/** Adds what a relay counted, once for each sequence of its start; what belongs to a deleted mapping is left out. */
export async function storeUsage(db: Db, report: UsageReport): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await claimReport(tx, report)) await addUsage(tx, report.entries);
  });
}
