import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';
import { type DeviceRow, selectDevice } from '../devices/index.ts';

export type ManagedDeviceRow = DeviceRow & { username: string; mappingCount: number; suspendedAt: Date | null };
export type ManagedDeviceFilter = {
  search?: string | undefined;
  user?: number | undefined;
  suspended?: boolean | undefined;
};

/** One page of the devices that match, in the order of their numbers. */
export async function listManagedDevices(
  db: Db,
  filter: ManagedDeviceFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; devices: ManagedDeviceRow[] }> {
  const { count } = await db
    .selectFrom('device')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .where(conditionOf(filter))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const devices = await selectManaged(db)
    .where(conditionOf(filter))
    .orderBy('device.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, devices };
}

export async function findManagedDevice(db: Db, id: number): Promise<ManagedDeviceRow | undefined> {
  return await selectManaged(db).where('device.id', '=', id).executeTakeFirst();
}

function selectManaged(db: Db) {
  return selectDevice(db)
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .select(['userAccount.username', 'device.suspendedAt'])
    .select(sql<number>`(select count(*) from mapping where mapping.device_id = device.id)`.as('mappingCount'));
}

function conditionOf({ search = '', user, suspended }: ManagedDeviceFilter): RawBuilder<boolean> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const parts = [
    ...(search === ''
      ? []
      : [sql`(device.name ilike ${pattern} or device.uid ilike ${pattern} or user_account.username ilike ${pattern})`]),
    ...(user === undefined ? [] : [sql`device.user_id = ${user}`]),
    ...(suspended === undefined ? [] : [sql`(device.suspended_at is not null) = ${suspended}`]),
  ];
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Locks the device. Undefined when there is none. */
export async function lockDevice(
  tx: Db,
  id: number,
): Promise<(FlaggedAccount & { userId: number; name: string; suspendedAt: Date | null }) | undefined> {
  return await tx
    .selectFrom('device')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .where('device.id', '=', id)
    .select(['device.userId', 'device.name', 'device.suspendedAt'])
    .select(['isStaff', 'isPromoter', 'isSuperuser'])
    .forNoKeyUpdate('device')
    .executeTakeFirst();
}

/** A device that was suspended already keeps its time. */
export async function setSuspended(tx: Db, id: number, isSuspended: boolean): Promise<void> {
  const suspendedAt = isSuspended ? sql<Date>`coalesce(suspended_at, now())` : null;
  // Its owner is alerted of an absence that is counted from when it works again.
  const watchedFrom = isSuspended ? {} : { watchedFrom: sql<Date>`now()` };
  await tx
    .updateTable('device')
    .set({ suspendedAt, ...watchedFrom })
    .where('id', '=', id)
    .execute();
}
