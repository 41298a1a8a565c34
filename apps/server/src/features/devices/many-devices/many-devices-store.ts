import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { type CommonChanges, watchedFromNow } from '../device-store.ts';

type OwnDevice = { id: number; enabled: boolean; isSuspended: boolean };

/** Locks those of the devices that the user has, in the order of their ids, which prevents deadlocks. */
export async function lockOwnDevicesForNoKeyUpdate(
  tx: Db,
  userId: number,
  ids: readonly number[],
): Promise<OwnDevice[]> {
  return await tx
    .selectFrom('device')
    .where('userId', '=', userId)
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .select(['id', 'enabled'])
    .select(sql<boolean>`suspended_at is not null`.as('isSuspended'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Those of the devices that the user has. */
export async function listOwnDeviceIds(db: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('device')
    .where('userId', '=', userId)
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function updateDevices(tx: Db, ids: readonly number[], changes: CommonChanges): Promise<void> {
  await tx
    .updateTable('device')
    .set({ ...changes, ...(changes.enabled === true && { watchedFrom: watchedFromNow() }) })
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .execute();
}
