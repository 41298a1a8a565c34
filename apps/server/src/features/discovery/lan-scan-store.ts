import { type Selectable, sql } from 'kysely';
import type { DiscoveryResult } from '@tongtu/tunnel';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

export type LanScanRow = Selectable<Database['lanScan']>;

/** A scan that runs longer has lost its server process: the agent stops after 150 seconds. */
const MAX_SCAN_SECONDS = 200;
const isAbandoned = sql<boolean>`lan_scan.started_at < now() - make_interval(secs => ${MAX_SCAN_SECONDS})`;

/** False when the user has no such device; undefined for nobody's. */
export async function isDiscoveryEnabled(db: Db, deviceId: number): Promise<boolean> {
  const row = await db.selectFrom('device').where('id', '=', deviceId).select('discoveryEnabled').executeTakeFirst();
  return row?.discoveryEnabled ?? false;
}

/** False when the user has no such device. */
export async function updateDiscoveryEnabled(
  tx: Db,
  { deviceId, userId }: { deviceId: number; userId: number },
  isEnabled: boolean,
): Promise<boolean> {
  const row = await tx
    .updateTable('device')
    .set({ discoveryEnabled: isEnabled })
    .where('id', '=', deviceId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findScan(db: Db, deviceId: number): Promise<LanScanRow | undefined> {
  return await db
    .selectFrom('lanScan')
    .where('deviceId', '=', deviceId)
    .select(['deviceId', 'runId', 'startedAt', 'percent', 'completedFrom', 'hasEarlier'])
    .select(sql<Date | null>`case when ${isAbandoned} then coalesce(ended_at, now()) else ended_at end`.as('endedAt'))
    .select(
      sql<DiscoveryResult | null>`case when ${isAbandoned} then coalesce(result, 'lost') else result end`.as('result'),
    )
    .executeTakeFirst();
}

/** One statement, so that of two server processes one begins. False while a scan runs, or when it is switched off. */
export async function claimScan(db: Db, deviceId: number, runId: string): Promise<boolean> {
  const row = await db
    .insertInto('lanScan')
    .columns(['deviceId', 'runId'])
    .expression((eb) =>
      eb
        .selectFrom('device')
        .where('id', '=', deviceId)
        .where('discoveryEnabled', '=', true)
        .select((device) => ['device.id', device.val(runId).as('runId')]),
    )
    .onConflict((conflict) =>
      conflict
        .column('deviceId')
        .doUpdateSet((eb) => ({
          runId: eb.ref('excluded.runId'),
          startedAt: sql`now()`,
          endedAt: null,
          result: null,
          percent: 0,
          hasEarlier: sql<boolean>`lan_scan.completed_from is not null`,
        }))
        .where((eb) => eb.or([eb('lanScan.endedAt', 'is not', null), isAbandoned])),
    )
    .returning('deviceId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Nobody else writes to the scan until the transaction ends. False when it was ended, replaced or deleted. */
export async function updateRunningScan(
  tx: Db,
  { deviceId, runId }: { deviceId: number; runId: string },
  percent: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('lanScan')
    .set((eb) => ({ percent: eb.fn<number>('greatest', ['percent', eb.val(percent)]) }))
    .where('deviceId', '=', deviceId)
    .where('runId', '=', runId)
    .where('endedAt', 'is', null)
    .returning('deviceId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function endScan(
  db: Db,
  { deviceId, runId }: { deviceId: number; runId: string },
  result: DiscoveryResult,
): Promise<void> {
  await db
    .updateTable('lanScan')
    .set((eb) => ({
      result,
      endedAt: sql<Date>`now()`,
      ...(result === 'done' && { completedFrom: eb.ref('startedAt'), percent: 100 }),
    }))
    .where('deviceId', '=', deviceId)
    .where('runId', '=', runId)
    .where('endedAt', 'is', null)
    .execute();
}

export async function deleteScan(tx: Db, deviceId: number): Promise<void> {
  await tx.deleteFrom('lanScan').where('deviceId', '=', deviceId).execute();
}
