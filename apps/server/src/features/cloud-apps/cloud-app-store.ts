import type { AppRoute } from '@tongtu/contract';
import { type Insertable, type RawBuilder, type Selectable, type Updateable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';
import { effectivePresence, isDeviceEnabled } from '../devices/index.ts';
import { lacksPlanForApp } from '../plans/index.ts';

// The row's type and the query both follow from this list.
const columns = [
  ...(['id', 'deviceId', 'kind', 'name', 'targetHost', 'targetPort', 'options', 'storedSecrets'] as const),
  ...(['hostKey', 'needsSecondFactor', 'enabled', 'wakeTimes', 'createdAt'] as const),
];

export type CloudAppRow = Pick<Selectable<Database['cloudApp']>, (typeof columns)[number]> & {
  ownerId: number;
  owner: string;
  deviceName: string;
  isDeviceOnline: boolean;
  /** The device, and the account of its owner. */
  isDeviceEnabled: boolean;
  memberCount: number;
};

type NewCloudApp = Omit<Insertable<Database['cloudApp']>, 'id'> & { id: number };

/** What a change reads of an app before. */
export type LockedApp = Pick<Selectable<Database['cloudApp']>, (typeof columns)[number] | 'secretsSealed'>;

/** More apps of others are not listed. */
const MAX_SHARED = 1_000;

function selectApp(db: Db) {
  return db
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .leftJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .select(columns.map((column) => `cloudApp.${column}` as const))
    .select(['device.userId as ownerId', 'userAccount.username as owner', 'device.name as deviceName'])
    .select(sql<boolean>`coalesce(presence.presence_online and presence.relay_alive, false)`.as('isDeviceOnline'))
    .select(isDeviceEnabled().as('isDeviceEnabled'))
    .select((eb) =>
      eb
        .selectFrom('cloudAppMember')
        .whereRef('appId', '=', 'cloudApp.id')
        .where('acceptedAt', 'is not', null)
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('memberCount'),
    )
    .$narrowType<{ memberCount: number }>();
}

/** The apps of the user's devices, and those of others that the user may open. */
export async function listCloudApps(db: Db, userId: number): Promise<CloudAppRow[]> {
  const shared = db
    .selectFrom('cloudAppMember')
    .where('userId', '=', userId)
    .where('acceptedAt', 'is not', null)
    .select('appId');
  return await selectApp(db)
    .where((eb) =>
      eb.or([
        eb('cloudApp.deviceId', 'in', db.selectFrom('device').where('userId', '=', userId).select('id')),
        eb('cloudApp.id', 'in', shared.orderBy('id').limit(MAX_SHARED)),
      ]),
    )
    .orderBy('cloudApp.name')
    .orderBy('cloudApp.id')
    .execute();
}

/** An app that the user may see: of the user's own device, or as a member. */
export async function findCloudApp(db: Db, id: number, userId: number): Promise<CloudAppRow | undefined> {
  return await selectApp(db)
    .where('cloudApp.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('device.userId', '=', userId),
        eb.exists(
          eb
            .selectFrom('cloudAppMember')
            .whereRef('appId', '=', 'cloudApp.id')
            .where('cloudAppMember.userId', '=', userId)
            .where('acceptedAt', 'is not', null)
            .select('cloudAppMember.id'),
        ),
      ]),
    )
    .executeTakeFirst();
}

export async function isOwnApp(db: Db, id: number, userId: number): Promise<boolean> {
  const row = await selectOwnApp(db, id, userId).select('cloudApp.id').executeTakeFirst();
  return row !== undefined;
}

/** Nobody else changes the app or its members, or opens it, until the transaction ends. */
export async function findOwnAppForNoKeyUpdate(tx: Db, id: number, userId: number): Promise<LockedApp | undefined> {
  return await selectOwnApp(tx, id, userId)
    .select(columns.map((column) => `cloudApp.${column}` as const))
    .select('cloudApp.secretsSealed')
    .forNoKeyUpdate('cloudApp')
    .executeTakeFirst();
}

function selectOwnApp(db: Db, id: number, userId: number) {
  return db
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .where('cloudApp.id', '=', id)
    .where('device.userId', '=', userId);
}

/** Nobody changes the app or its members until the transaction ends, but others may open it. False if it is deleted. */
export async function lockAppForShare(tx: Db, id: number): Promise<boolean> {
  const row = await tx.selectFrom('cloudApp').where('id', '=', id).select('id').forShare().executeTakeFirst();
  return row !== undefined;
}

/** Concurrent transactions that add apps to the device wait. Undefined if the user has no such device. */
export async function lockDeviceForNoKeyUpdate(
  tx: Db,
  { deviceId, userId }: { deviceId: number; userId: number },
): Promise<{ frpcLogin: string | null } | undefined> {
  const own = tx.selectFrom('device').where('id', '=', deviceId).where('userId', '=', userId);
  return await own.select('frpcLogin').forNoKeyUpdate().executeTakeFirst();
}

/** Whether an app of the account needs the second factor. */
export async function hasProtectedApp(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .where('device.userId', '=', userId)
    .where('needsSecondFactor', '=', true)
    .select('cloudApp.id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countAppsOfDevice(tx: Db, deviceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('cloudApp')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The id of an app that is going to be inserted. Its sealed secrets are bound to it. */
export async function takeAppId(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('mapping_id_seq') as id`.execute(tx);
  return rows[0]?.id ?? 0; // the statement has one row
}

export async function insertCloudApp(tx: Db, app: NewCloudApp): Promise<void> {
  await tx.insertInto('cloudApp').values(app).execute();
}

/** Two apps that speak with the same SSH server through the same device. */
export function isSameServer(one: string, other: string): RawBuilder<boolean> {
  const [a, b] = [sql.table(one), sql.table(other)];
  return sql<boolean>`${a}.device_id = ${b}.device_id and ${a}.target_host = ${b}.target_host
    and ${a}.target_port = ${b}.target_port and ${a}.kind in ('ssh', 'sftp') and ${b}.kind in ('ssh', 'sftp')`;
}

/** The new app gets the host key that its owner has accepted in another app for the same SSH server, if there is one. */
export async function copyHostKey(tx: Db, id: number): Promise<void> {
  await sql`
    update cloud_app set host_key = known.host_key from cloud_app as known
    where cloud_app.id = ${id} and known.id <> ${id} and known.host_key is not null
      and ${isSameServer('cloud_app', 'known')}
      and (known.needs_second_factor or not cloud_app.needs_second_factor)`.execute(tx);
}

/** `endsSessions`: those that are open end, because they began under other settings. */
export async function updateCloudApp(
  tx: Db,
  id: number,
  changes: Omit<Updateable<Database['cloudApp']>, 'id' | 'version'>,
  { endsSessions }: { endsSessions: boolean },
): Promise<void> {
  await tx
    .updateTable('cloudApp')
    .set((eb) => ({ ...changes, ...(endsSessions && { version: eb('version', '+', 1) }) }))
    .where('id', '=', id)
    .execute();
}

export async function deleteCloudApp(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('cloudApp').where('id', '=', id).execute();
}

/** The targets of the enabled apps, by device, for relays. */
export async function listAppRoutes(db: Db, deviceIds: number[]): Promise<Map<number, AppRoute[]>> {
  const rows = await db
    .selectFrom('cloudApp')
    .where((eb) => eb('deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .where('enabled', '=', true)
    .where((eb) => eb.not(lacksPlanForApp()))
    .select(['id as appId', 'deviceId', 'targetHost', 'targetPort'])
    .orderBy('id')
    .execute();
  const routes = new Map<number, AppRoute[]>();
  for (const { deviceId, ...route } of rows) routes.set(deviceId, [...(routes.get(deviceId) ?? []), route]);
  return routes;
}
