import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';
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
  const matching = selectMatching(db, filter);
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const ids = matching.select('device.id').orderBy('device.id').limit(page.limit).offset(page.offset);
  const devices = await selectManaged(db).where('device.id', 'in', ids).orderBy('device.id').execute();
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

function selectMatching(db: Db, { search = '', user, suspended }: ManagedDeviceFilter) {
  return db
    .selectFrom('device')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .$if(search !== '', (query) => query.where(matchesName(search)))
    .$if(user !== undefined, (query) => query.where('device.userId', '=', user ?? 0))
    .$if(suspended !== undefined, (query) => query.where('suspendedAt', suspended === true ? 'is not' : 'is', null));
}

function matchesName(search: string) {
  const pattern = patternContaining(search);
  return sql<boolean>`(device.name ilike ${pattern} or uid ilike ${pattern} or username ilike ${pattern})`;
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
