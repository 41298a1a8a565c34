import { type MappingPolicy, optionNames } from '@tongtu/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

// The row's type and the query both follow from this list.
const columns = [
  ...(['id', 'deviceId', 'kind', 'prefix', 'customDomain', 'port', 'targetHost', 'targetPort'] as const),
  ...optionNames,
  ...(['policy', 'passwordHash', 'opensAt', 'closesAt', 'hoursDays', 'hoursFrom', 'hoursTo'] as const),
  ...(['remark', 'enabled', 'createdAt'] as const),
];

export type MappingRow = Pick<Selectable<Database['mapping']>, (typeof columns)[number]> & { suffix: string };

/** What a caller decides of a mapping. */
export type MappingValues = Omit<MappingRow, 'id' | 'deviceId' | 'suffix' | 'enabled' | 'createdAt'>;

function selectMapping(db: Db) {
  return db
    .selectFrom('mapping')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .select('server.suffix')
    .select(columns.map((column) => `mapping.${column}` as const));
}

export async function listMappingsOfDevices(db: Db, deviceIds: number[]): Promise<MappingRow[]> {
  if (deviceIds.length === 0) return [];
  return await selectMapping(db)
    .where((eb) => eb('mapping.deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .orderBy('mapping.id')
    .execute();
}

export async function findMapping(db: Db, id: number, userId: number): Promise<MappingRow | undefined> {
  return await selectMapping(db).where('mapping.id', '=', id).where('device.userId', '=', userId).executeTakeFirst();
}

/** Like findMapping; nobody else changes the row until the transaction ends. */
export async function lockMapping(tx: Db, id: number, userId: number): Promise<MappingRow | undefined> {
  return await selectMapping(tx)
    .where('mapping.id', '=', id)
    .where('device.userId', '=', userId)
    .forUpdate('mapping')
    .executeTakeFirst();
}

/** Whoever's it is. Nobody changes the row until the transaction ends, but others may look at it like this. */
export async function holdMapping(tx: Db, id: number): Promise<(MappingRow & { userId: number }) | undefined> {
  return await selectMapping(tx)
    .select('device.userId')
    .where('mapping.id', '=', id)
    .forShare('mapping')
    .executeTakeFirst();
}

/** Keeps it from being deleted until the transaction ends, for who is going to refer to it; false when it has been. */
export async function keepMapping(tx: Db, id: number): Promise<boolean> {
  const kept = tx.selectFrom('mapping').where('id', '=', id).select('id').forKeyShare();
  return (await kept.executeTakeFirst()) !== undefined;
}

/** Whoever's it is; undefined when there is no such mapping (any more). */
export async function findDeviceOfMapping(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('mapping').where('id', '=', id).select('deviceId').executeTakeFirst();
  return row?.deviceId;
}

/** Undefined when there is no such mapping (any more). */
export async function findOwnerOfMapping(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('mapping.id', '=', id)
    .select('device.userId')
    .executeTakeFirst();
  return row?.userId;
}

/** Whoever's they are: nobody else changes any until the transaction ends; in one order, as by all who lock several. */
export async function lockMappings(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`select from mapping where id = any(${ids}::integer[]) order by id for update`.execute(tx);
}

function selectOwnDevice(db: Db, device: { deviceId: number; userId: number }) {
  return db.selectFrom('device').select('id').where('id', '=', device.deviceId).where('userId', '=', device.userId);
}

export async function isOwnDevice(db: Db, device: { deviceId: number; userId: number }): Promise<boolean> {
  return (await selectOwnDevice(db, device).executeTakeFirst()) !== undefined;
}

/** Makes others who add to the device wait until the transaction ends. False when the user has no such device. */
export async function lockDevice(tx: Db, device: { deviceId: number; userId: number }): Promise<boolean> {
  return (await selectOwnDevice(tx, device).forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

/** The same, and nobody refers to it anew meanwhile. */
export async function lockDeviceWhole(tx: Db, device: { deviceId: number; userId: number }): Promise<boolean> {
  return (await selectOwnDevice(tx, device).forUpdate().executeTakeFirst()) !== undefined;
}

export async function countMappings(tx: Db, deviceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('mapping')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The new mapping's id; undefined when the user has no such device. A taken address fails with the constraint's error. */
export async function insertMapping(
  tx: Db,
  owner: { deviceId: number; userId: number },
  values: Partial<MappingValues> & Pick<MappingValues, 'kind' | 'targetHost' | 'targetPort' | 'policy'>,
): Promise<number | undefined> {
  // The device cannot vanish between this read and the foreign key's check.
  const device = await tx
    .selectFrom('device')
    .select(['id', 'serverId'])
    .where('id', '=', owner.deviceId)
    .where('userId', '=', owner.userId)
    .forKeyShare()
    .executeTakeFirst();
  if (device === undefined) return undefined;
  const row = await tx
    .insertInto('mapping')
    .values({ ...values, deviceId: device.id, serverId: device.serverId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateMapping(
  tx: Db,
  id: number,
  changes: Partial<MappingValues & { enabled: boolean }>,
): Promise<void> {
  await tx.updateTable('mapping').set(changes).where('id', '=', id).execute();
}

/** From now on tickets that were given for the password before are worth nothing. */
export async function countPasswordChange(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('mapping')
    .set((eb) => ({ passwordVersion: eb('passwordVersion', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** The device's region. Nobody else passes here until the transaction ends; whoever only refers to the region does. */
export async function lockServerOfDevice(tx: Db, deviceId: number): Promise<number> {
  const { id } = await tx
    .selectFrom('server')
    .innerJoin('device', 'device.serverId', 'server.id')
    .where('device.id', '=', deviceId)
    .select('server.id')
    .forNoKeyUpdate('server')
    .executeTakeFirstOrThrow();
  return id;
}

/** Any port that no mapping of this kind has in the region: not the lowest, so that one given back rests a while. */
export async function findFreePort(
  tx: Db,
  { serverId, kind, from, to }: { serverId: number; kind: 'tcp' | 'udp'; from: number; to: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ port: number }>`
    select port from generate_series(${from}::integer, ${to}::integer) as port
    where port not in (
      select mapping.port from mapping where server_id = ${serverId} and kind = ${kind} and mapping.port is not null)
    order by random() limit 1`.execute(tx);
  return rows[0]?.port;
}

/** The domain suffixes of all regions. */
export async function listSuffixes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('server').select('suffix').execute();
  return rows.map((row) => row.suffix);
}

/** Lets the same public name lead to another port, and to another device of the same region. */
export async function moveMapping(tx: Db, id: number, place: { deviceId: number; targetPort: number }): Promise<void> {
  await tx.updateTable('mapping').set(place).where('id', '=', id).execute();
}

/** The device that the mapping belonged to; undefined when the user has no such mapping. */
export async function deleteMapping(tx: Db, id: number, userId: number): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('mapping')
    .using('device')
    .whereRef('device.id', '=', 'mapping.deviceId')
    .where('mapping.id', '=', id)
    .where('device.userId', '=', userId)
    .returning('mapping.deviceId')
    .executeTakeFirst();
  return row?.deviceId;
}

export type MappedHost = {
  mappingId: number;
  mappingEnabled: boolean;
  policy: MappingPolicy;
  deviceId: number;
  userId: number;
  /** Grows with each change that ends what the password has let in. */
  passwordVersion: number;
} & Pick<MappingRow, 'kind' | 'tlsPassthrough' | 'opensAt' | 'closesAt' | 'hoursDays' | 'hoursFrom' | 'hoursTo'> &
  Pick<MappingRow, 'passwordHash'>;

/** Who a public name leads to. `host` is lower case and without port. */
export async function findMappingByHost(db: Db, host: string): Promise<MappedHost | undefined> {
  return await selectByHost(db, host).executeTakeFirst();
}

/** Like findMappingByHost; nobody changes the mapping until the transaction ends, but others may look at it like this. */
export async function holdMappingOfHost(tx: Db, host: string): Promise<MappedHost | undefined> {
  return await selectByHost(tx, host).forShare('mapping').executeTakeFirst();
}

function selectByHost(db: Db, host: string) {
  const { prefix, suffix } = splitHost(host);
  return (
    db
      .selectFrom('mapping')
      .innerJoin('server', 'server.id', 'mapping.serverId')
      .innerJoin('device', 'device.id', 'mapping.deviceId')
      // Two look-ups by index; as one condition over both tables it would read every mapping.
      .where('mapping.id', 'in', (eb) =>
        eb
          .selectFrom('mapping as named')
          .innerJoin('server as region', 'region.id', 'named.serverId')
          .where('region.suffix', '=', suffix)
          .where('named.prefix', '=', prefix)
          .select('named.id')
          .unionAll(eb.selectFrom('mapping as own').where('own.customDomain', '=', host).select('own.id')),
      )
      .select(['mapping.id as mappingId', 'mapping.enabled as mappingEnabled', 'mapping.policy'])
      .select(['mapping.kind', 'mapping.tlsPassthrough', 'device.id as deviceId', 'device.userId'])
      .select(['mapping.opensAt', 'mapping.closesAt', 'mapping.hoursDays', 'mapping.hoursFrom', 'mapping.hoursTo'])
      .select(['mapping.passwordHash', 'mapping.passwordVersion'])
  );
}

/** Whether a host is one of our suffixes, or a name one label below it; undefined for the rest of the world. */
export async function placeOfHost(db: Db, host: string): Promise<'suffix' | 'below_suffix' | undefined> {
  const rows = await db
    .selectFrom('server')
    .where('suffix', 'in', [host, splitHost(host).suffix])
    .select('suffix')
    .execute();
  if (rows.some((row) => row.suffix === host)) return 'suffix';
  return rows.length > 0 ? 'below_suffix' : undefined;
}

function splitHost(host: string): { prefix: string; suffix: string } {
  const dot = host.indexOf('.');
  return { prefix: host.slice(0, Math.max(dot, 0)), suffix: dot < 0 ? '' : host.slice(dot + 1) };
}
