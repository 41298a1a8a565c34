import type { UsageEntry } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { addUsage, claimReport } from './usage-store.ts';

export type UsageReport = { relayId: string; bootId: string; sequence: number; entries: UsageEntry[] };

/** Stores a relay's usage report once for each number and start of the relay. Ignores entries of deleted mappings. */
export async function storeUsage(db: Db, report: UsageReport): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await claimReport(tx, report)) await addUsage(tx, report.entries);
  });
}
