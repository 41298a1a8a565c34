import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { type Allowance, allowanceOfDevice } from '../plans/index.ts';
import type { StateFacts } from './presence/device-state.ts';
import { countRunningRelays, connectedRelays, effectivePresence, worstLine } from './presence/device-presence-store.ts';

export type DeviceRow = StateFacts & {
  id: number;
  userId: number;
  uid: string;
  name: string;
  groupName: string;
  pinned: boolean;
  createdAt: Date;
  allowList: string[];
  bandwidthBps: number | null;
  /** Null: the device needs no plan. */
  allowance: Allowance | null;
  /** Staff have switched it off, and its owner cannot switch it on. */
  isSuspended: boolean;
  alertsEnabled: boolean;
  publicIp: string | null;
  agentVersion: string | null;
  platform: string | null;
  /** The relays to which it is connected. */
  relayIds: string[];
  /** The number of running relays in its region, connected or not. */
  runningRelayCount: number;
  /** The line that loses most packets, if one is known to lose some. */
  lossyLine: { percent: number; rttMs: number } | null;
  serverId: number;
  serverName: string;
  suffix: string;
  runsFrpc: boolean;
  /** Its own frpc.toml manages the mappings. */
  isManagedByFrpc: boolean;
};

/** Of a query on `device`: nothing is reached through a device whose owner's account is disabled. */
export function isDeviceEnabled() {
  return sql<boolean>`(device.enabled and device.suspended_at is null and exists (
    select from user_account as owner where owner.id = device.user_id and owner.disabled_at is null))`;
}

export function selectDevice(db: Db) {
  return db
    .selectFrom('device')
    .innerJoin('server', 'server.id', 'device.serverId')
    .leftJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .select(['device.id', 'device.userId', 'device.uid', 'device.name', 'device.groupName', 'device.pinned'])
    .select([isDeviceEnabled().as('enabled'), allowanceOfDevice().as('allowance')])
    .select(sql<boolean>`device.suspended_at is not null`.as('isSuspended'))
    .select(sql<boolean>`device.frpc_token_sealed is not null`.as('runsFrpc'))
    .select(sql<boolean>`device.frpc_login is not null`.as('isManagedByFrpc'))
    .select([
      'device.createdAt',
      'device.allowList',
      'device.bandwidthBps',
      'device.alertsEnabled',
      'server.id as serverId',
      'server.name as serverName',
      'server.suffix',
    ])
    .select(['presence.presenceOnline', 'presence.changedAt', 'presence.offlineReason'])
    .select(['presence.publicIp', 'presence.agentVersion', 'presence.platform'])
    .select(['presence.relayLastSeenAt', 'presence.relayAlive'])
    .select([connectedRelays().as('relayIds'), countRunningRelays().as('runningRelayCount')])
    .select(worstLine().as('lossyLine'));
}

export async function listDevicesOfUser(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<DeviceRow[]> {
  return await selectDevice(db)
    .where('device.userId', '=', userId)
    .orderBy('device.pinned', 'desc')
    .orderBy('device.name')
    .orderBy('device.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** A page of ids in the order of the list, without what the list shows of each device. */
export async function listDeviceIdsOfUser(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('device')
    .where('userId', '=', userId)
    .orderBy('pinned', 'desc')
    .orderBy('name')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** In no order. */
export async function listDevicesById(db: Db, ids: readonly number[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return [];
  return await selectDevice(db)
    .where(sql<boolean>`device.id = any(${ids}::integer[])`)
    .execute();
}

export async function listAllDevices(db: Db, userId: number): Promise<DeviceRow[]> {
  return await selectDevice(db).where('device.userId', '=', userId).orderBy('device.id').execute();
}

export async function countDevicesOfUser(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('device')
    .where('userId', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function findDevice(db: Db, id: number): Promise<DeviceRow | undefined> {
  return await selectDevice(db).where('device.id', '=', id).executeTakeFirst();
}

export async function findDeviceByUid(db: Db, uid: string): Promise<DeviceRow | undefined> {
  return await selectDevice(db).where('device.uid', '=', uid).executeTakeFirst();
}

/** Whether staff have switched the user's device off. */
export async function isSuspendedDevice(tx: Db, device: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .selectFrom('device')
    .where('id', '=', device.id)
    .where('userId', '=', device.userId)
    .where('suspendedAt', 'is not', null)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** What several devices can be set to at once. */
export type CommonChanges = { groupName?: string; pinned?: boolean; enabled?: boolean };

/** An absence is counted from the moment at which the device or its alerts are switched on again. */
export function watchedFromNow() {
  return sql<Date>`case when enabled and alerts_enabled then watched_from else now() end`;
}

/** What a change is compared with. Nobody else changes it until the transaction ends. */
export async function lockDeviceSettings(
  tx: Db,
  { id, userId }: { id: number; userId: number },
): Promise<{ enabled: boolean; allowList: string[] } | undefined> {
  const own = tx.selectFrom('device').where('id', '=', id).where('userId', '=', userId);
  return await own.select(['enabled', 'allowList']).forNoKeyUpdate().executeTakeFirst();
}

/** False when the user has no such device. */
export async function updateDevice(
  tx: Db,
  device: { id: number; userId: number },
  changes: CommonChanges & { name?: string; alertsEnabled?: boolean; allowList?: string[] },
): Promise<boolean> {
  const isSwitchedOn = changes.enabled === true || changes.alertsEnabled === true;
  const row = await tx
    .updateTable('device')
    .set({ ...changes, ...(isSwitchedOn && { watchedFrom: watchedFromNow() }) })
    .where('id', '=', device.id)
    .where('userId', '=', device.userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the device against changes and new references. False when the user has no such device. */
export async function lockOwnDeviceForUpdate(tx: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const own = tx.selectFrom('device').where('id', '=', id).where('userId', '=', userId).select('id').forUpdate();
  return (await own.executeTakeFirst()) !== undefined;
}

/** False when the user has no such device. */
export async function deleteDevice(tx: Db, device: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .deleteFrom('device')
    .where('id', '=', device.id)
    .where('userId', '=', device.userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** What the device's program proves itself with: the key of our agent, or the sealed secret of a stock frpc. */
export type DeviceCredential = { publicKey: Buffer } | { frpcTokenSealed: Buffer; frpcLogin?: string };

/** Returns the id of the new device; undefined when the key or the uid is taken. */
export async function insertDevice(
  tx: Db,
  device: { userId: number; serverId: number; uid: string; name: string } & DeviceCredential,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('device')
    .values(device)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function findDeviceByKey(db: Db, publicKey: Buffer): Promise<{ id: number; userId: number } | undefined> {
  return await db.selectFrom('device').where('publicKey', '=', publicKey).select(['id', 'userId']).executeTakeFirst();
}

/** The names of the user's devices that start with `start`. */
export async function listDeviceNames(db: Db, userId: number, start: string): Promise<string[]> {
  const rows = await db
    .selectFrom('device')
    .where('userId', '=', userId)
    .where((eb) => eb(eb.fn('starts_with', ['name', eb.val(start)]), '=', true))
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}

/** Whether an app of these devices needs the second factor. */
export async function haveProtectedApp(tx: Db, deviceIds: readonly number[]): Promise<boolean> {
  const row = await tx
    .selectFrom('cloudApp')
    .where(sql<boolean>`device_id = any(${deviceIds}::integer[])`)
    .where('needsSecondFactor', '=', true)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
