import { domainsAround, findCovering, type MappingPolicy, optionNames } from '@tongtu/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

// The row's type and the query both follow from this list.
const columns = [
  ...(['id', 'deviceId', 'kind', 'prefix', 'customDomain', 'port', 'targetHost', 'targetPort'] as const),
  ...optionNames,
  ...(['policy', 'passwordHash', 'opensAt', 'closesAt', 'hoursDays', 'hoursFrom', 'hoursTo'] as const),
  ...(['remark', 'enabled', 'pinned', 'createdAt', 'frpcProxy'] as const),
];

export type MappingRow = Pick<Selectable<Database['mapping']>, (typeof columns)[number]> & {
  suffix: string;
  isOverPlanLimit: boolean;
};

/** The columns that a caller sets. */
export type MappingValues = Omit<
  MappingRow,
  'id' | 'deviceId' | 'suffix' | 'isOverPlanLimit' | 'enabled' | 'pinned' | 'createdAt' | 'frpcProxy'
>;

/** Columns that are not given have the table's default. */
export type NewMapping = Partial<MappingValues & Pick<MappingRow, 'enabled' | 'pinned' | 'frpcProxy'>> &
  Pick<MappingValues, 'kind' | 'targetHost' | 'targetPort' | 'policy'>;

/** Of a query on `mapping`: the plan of the device allows fewer, and as many older ones are switched on. */
export function isOverPlanLimit() {
  // Nothing is counted for a device without a limit.
  return sql<boolean>`coalesce((
    select (
      select count(*) from mapping as older
      where older.device_id = mapping.device_id and older.enabled and older.id < mapping.id
    ) >= mapping_limit
    from device_allowance where device_allowance.device_id = mapping.device_id), false)`;
}

function selectMapping(db: Db) {
  return db
    .selectFrom('mapping')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .select(['server.suffix', isOverPlanLimit().as('isOverPlanLimit')])
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
export async function findMappingForUpdate(tx: Db, id: number, userId: number): Promise<MappingRow | undefined> {
  return await selectMapping(tx)
    .where('mapping.id', '=', id)
    .where('device.userId', '=', userId)
    .forUpdate('mapping')
    .executeTakeFirst();
}

/** Finds a mapping of any owner. Nobody changes the row until the transaction ends, but others may lock it for share. */
export async function findMappingForShare(tx: Db, id: number): Promise<(MappingRow & { userId: number }) | undefined> {
  return await selectMapping(tx)
    .select('device.userId')
    .where('mapping.id', '=', id)
    .forShare('mapping')
    .executeTakeFirst();
}

/** Nobody deletes it until the transaction ends. */
export async function findMappingForKeyShare(tx: Db, id: number): Promise<{ id: number } | undefined> {
  return await tx.selectFrom('mapping').where('id', '=', id).select('id').forKeyShare().executeTakeFirst();
}

/** The device of a mapping of any owner. Undefined if there is no such mapping. */
export async function findDeviceOfMapping(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('mapping').where('id', '=', id).select('deviceId').executeTakeFirst();
  return row?.deviceId;
}

/** Undefined if there is no such mapping. */
export async function findOwnerOfMapping(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('mapping.id', '=', id)
    .select('device.userId')
    .executeTakeFirst();
  return row?.userId;
}

/** Locks mappings of any owner, in the order of their ids to avoid deadlocks. */
export async function lockMappingsForUpdate(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`select from mapping where id = any(${ids}::integer[]) order by id for update`.execute(tx);
}

export async function isOwnDevice(
  db: Db,
  { deviceId, userId }: { deviceId: number; userId: number },
): Promise<boolean> {
  const own = db.selectFrom('device').where('id', '=', deviceId).where('userId', '=', userId).select('id');
  return (await own.executeTakeFirst()) !== undefined;
}

const runsFrpc = sql<boolean>`device.frpc_token_sealed is not null`;

const isManagedByFrpc = sql<boolean>`device.frpc_login is not null`;

/** A device to which mappings are added, with its region. */
export type MappedDevice = {
  id: number;
  serverId: number;
  suffix: string;
  runsFrpc: boolean;
  isManagedByFrpc: boolean;
};

/** Concurrent transactions that add mappings to the device wait. Undefined if the user has no such device. */
export async function findDeviceForNoKeyUpdate(
  tx: Db,
  device: { deviceId: number; userId: number },
): Promise<MappedDevice | undefined> {
  return await tx
    .selectFrom('device')
    .innerJoin('server', 'server.id', 'device.serverId')
    .where('device.id', '=', device.deviceId)
    .where('device.userId', '=', device.userId)
    .select(['device.id', 'device.serverId', 'server.suffix'])
    .select([runsFrpc.as('runsFrpc'), isManagedByFrpc.as('isManagedByFrpc')])
    .forNoKeyUpdate('device')
    .executeTakeFirst();
}

export async function countMappings(tx: Db, deviceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('mapping')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The caller has locked the device. A taken address fails with the constraint's error. */
export async function insertMapping(
  tx: Db,
  device: MappedDevice,
  values: NewMapping,
): Promise<Omit<MappingRow, keyof MappingValues>> {
  const row = await tx
    .insertInto('mapping')
    .values({ ...values, deviceId: device.id, serverId: device.serverId })
    .returning(['id', 'enabled', 'pinned', 'createdAt', 'frpcProxy'])
    .executeTakeFirstOrThrow();
  // The caller has checked how many the plan allows.
  return { ...row, deviceId: device.id, suffix: device.suffix, isOverPlanLimit: false };
}

/** `endsPassword` invalidates tickets that were issued for the old password. */
export async function updateMapping(
  tx: Db,
  id: number,
  changes: Partial<MappingValues & { enabled: boolean; pinned: boolean; frpcProxy: string }>,
  { endsPassword }: { endsPassword: boolean },
): Promise<void> {
  await tx
    .updateTable('mapping')
    .set((eb) => ({ ...changes, ...(endsPassword && { passwordVersion: eb('passwordVersion', '+', 1) }) }))
    .where('id', '=', id)
    .execute();
}

/** Locks a region. Rows that refer to it can still be written. */
export async function lockServerForNoKeyUpdate(tx: Db, id: number): Promise<void> {
  await tx.selectFrom('server').where('id', '=', id).select('id').forNoKeyUpdate().execute();
}

/** A random free port for this kind in the region. Random, so that a released port is not reused at once. */
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

/** All custom domains, wildcards included, with the username of their owner. */
export async function listCustomDomains(db: Db): Promise<{ domain: string; owner: string }[]> {
  const rows = await db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .where('mapping.customDomain', 'is not', null)
    .orderBy('mapping.id')
    .select(['mapping.customDomain', 'userAccount.username'])
    .execute();
  return rows.flatMap(({ customDomain: domain, username: owner }) => (domain === null ? [] : [{ domain, owner }]));
}

/** Moves a mapping to another port, and to another device of the same region. */
export async function moveMapping(tx: Db, id: number, place: { deviceId: number; targetPort: number }): Promise<void> {
  await tx.updateTable('mapping').set(place).where('id', '=', id).execute();
}

/** Returns the mapping's device. Undefined if the user has no such mapping. */
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
  isOverPlanLimit: boolean;
  policy: MappingPolicy;
  deviceId: number;
  userId: number;
  /** Incremented by each change that ends the proofs of the password. */
  passwordVersion: number;
} & Pick<MappingRow, 'kind' | 'tlsPassthrough' | 'opensAt' | 'closesAt' | 'hoursDays' | 'hoursFrom' | 'hoursTo'> &
  Pick<MappingRow, 'passwordHash'>;

/** The mapping of a public name. `host` is lower case and without port. */
export async function findMappingByHost(db: Db, host: string): Promise<MappedHost | undefined> {
  return await selectByHost(db, host).executeTakeFirst();
}

/** Like findMappingByHost, or the mapping whose wildcard covers the name. */
export async function findCoveringMapping(
  db: Db,
  host: string,
): Promise<(MappedHost & { customDomain: string | null }) | undefined> {
  const rows = await selectByHost(db, host, domainsAround(host)).select('mapping.customDomain').execute();
  const byDomain = new Map(rows.map((row) => [row.customDomain ?? host, row]));
  return findCovering(host, {
    find: (domain) => byDomain.get(domain),
    findWildcard: (parent) => byDomain.get(`*.${parent}`),
    isSameOwner: (a, b) => a.userId === b.userId,
  });
}

/** Like findMappingByHost. Nobody changes the mapping until the transaction ends, but others may lock it for share. */
export async function findMappingByHostForShare(tx: Db, host: string): Promise<MappedHost | undefined> {
  return await selectByHost(tx, host).forShare('mapping').executeTakeFirst();
}

function selectByHost(db: Db, host: string, customDomains: readonly string[] = [host]) {
  const { prefix, suffix } = splitHost(host);
  return (
    db
      .selectFrom('mapping')
      .innerJoin('server', 'server.id', 'mapping.serverId')
      .innerJoin('device', 'device.id', 'mapping.deviceId')
      // Two index look-ups. A single condition over both tables would scan every mapping.
      .where('mapping.id', 'in', (eb) =>
        eb
          .selectFrom('mapping as named')
          .innerJoin('server as region', 'region.id', 'named.serverId')
          .where('region.suffix', '=', suffix)
          .where('named.prefix', '=', prefix)
          .select('named.id')
          .unionAll(eb.selectFrom('mapping as own').where('own.customDomain', 'in', customDomains).select('own.id')),
      )
      .select(['mapping.id as mappingId', 'mapping.enabled as mappingEnabled', 'mapping.policy'])
      .select(isOverPlanLimit().as('isOverPlanLimit'))
      .select(['mapping.kind', 'mapping.tlsPassthrough', 'device.id as deviceId', 'device.userId'])
      .select(['mapping.opensAt', 'mapping.closesAt', 'mapping.hoursDays', 'mapping.hoursFrom', 'mapping.hoursTo'])
      .select(['mapping.passwordHash', 'mapping.passwordVersion'])
  );
}

/** Whether a host is a region's suffix, or a name one label below it. Undefined for any other host. */
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
