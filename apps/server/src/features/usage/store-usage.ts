import type { UsageEntry } from '@tongtu/contract';
import { claimReport } from '../../db/claim-report.ts';
import type { Db } from '../../db/driver.ts';
import { addSources, listVisitorAccounts } from './source-store.ts';
import { readSources } from './usage-source.ts';
import { addRecent, addToSums, addUsage, lockMappingsForKeyShare, waitForRollUp } from './usage-store.ts';

export type UsageReport = { relayId: string; bootId: string; sequence: number; entries: UsageEntry[] };

/** `sourceKey`: visitors and networks are stored as hashes with this key. */
export type StoreUsageDeps = { db: Db; sourceKey: Buffer };

/** Stores a relay's usage report once for each number and start of the relay. Ignores entries of deleted mappings. */
export async function storeUsage({ db, sourceKey }: StoreUsageDeps, report: UsageReport): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await claimReport(tx, 'usageReport', report))) return;
    const mappingIds = await lockMappingsForKeyShare(
      tx,
      report.entries.map((entry) => entry.mappingId),
    );
    if (mappingIds.length === 0) return;
    const known = new Set(mappingIds);
    const entries = report.entries.filter((entry) => known.has(entry.mappingId));
    const ids = new Set(entries.flatMap((entry) => entry.visitors.map(([id]) => id)));
    const visitorOf = await listVisitorAccounts(tx, [...ids]);
    const sources = entries.map((entry) => readSources({ sourceKey, visitorOf }, entry));
    const at = await waitForRollUp(tx);
    await addUsage(tx, { entries, sources, at });
    await addToSums(tx, { entries, sources, at });
    await addRecent(tx, entries);
    await addSources(tx, { sources, mappingIds, at });
  });
}
