import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** False if this report of a relay, or a later one of the same start of the relay, is already stored. */
export async function claimReport(
  tx: Db,
  table: 'usageReport' | 'visitReport',
  report: { relayId: string; bootId: string; sequence: number },
): Promise<boolean> {
  const { relayId, bootId, sequence } = report;
  // A concurrent copy of the report waits for this row's lock.
  const row = await tx
    .insertInto(table)
    .values({ relayId, bootId, sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['relayId', 'bootId'])
        .doUpdateSet({ sequence, storedAt: sql`now()` })
        .where(`${table}.sequence`, '<', sequence),
    )
    .returning('sequence')
    .executeTakeFirst();
  return row !== undefined;
}
