import type { Db } from '../../db/driver.ts';

export type MappingRow = {
  id: number;
  deviceId: number;
  kind: 'http' | 'https';
  prefix: string;
  suffix: string;
  targetHost: string;
  targetPort: number;
  policy: 'owner' | 'public';
  remark: string;
  enabled: boolean;
  createdAt: Date;
};

export type MappingValues = Pick<MappingRow, 'kind' | 'prefix' | 'targetHost' | 'targetPort' | 'policy' | 'remark'>;

function selectMapping(db: Db) {
  return db
    .selectFrom('mapping')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .select(['mapping.id', 'mapping.deviceId', 'mapping.kind', 'mapping.prefix', 'server.suffix'])
    .select(['mapping.targetHost', 'mapping.targetPort', 'mapping.policy', 'mapping.remark'])
    .select(['mapping.enabled', 'mapping.createdAt']);
}

export async function listMappingsOfDevices(db: Db, deviceIds: number[]): Promise<MappingRow[]> {
  if (deviceIds.length === 0) return [];
  return await selectMapping(db).where('mapping.deviceId', 'in', deviceIds).orderBy('mapping.id').execute();
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

/** Makes others who add to the device wait until the transaction ends. False when the user has no such device. */
export async function lockDevice(tx: Db, device: { deviceId: number; userId: number }): Promise<boolean> {
  const row = await tx
    .selectFrom('device')
    .select('id')
    .where('id', '=', device.deviceId)
    .where('userId', '=', device.userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function countMappings(tx: Db, deviceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('mapping')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The new mapping's id; undefined when the user has no such device. A taken prefix fails with the constraint's error. */
export async function insertMapping(
  tx: Db,
  owner: { deviceId: number; userId: number },
  values: MappingValues,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('mapping')
    .columns(['deviceId', 'serverId', 'kind', 'prefix', 'targetHost', 'targetPort', 'policy', 'remark'])
    .expression((eb) =>
      eb
        .selectFrom('device')
        .where('id', '=', owner.deviceId)
        .where('userId', '=', owner.userId)
        .select((part) => [
          'id',
          'serverId',
          part.val(values.kind).as('kind'),
          part.val(values.prefix).as('prefix'),
          part.val(values.targetHost).as('targetHost'),
          part.cast<number>(part.val(values.targetPort), 'integer').as('targetPort'),
          part.val(values.policy).as('policy'),
          part.val(values.remark).as('remark'),
        ])
        // The device cannot vanish between this read and the foreign key's check.
        .forKeyShare(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateMapping(
  tx: Db,
  id: number,
  changes: Partial<MappingValues & { enabled: boolean }>,
): Promise<void> {
  await tx.updateTable('mapping').set(changes).where('id', '=', id).execute();
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
  policy: 'owner' | 'public';
  deviceId: number;
  userId: number;
};

/** Who a public name leads to. `host` is lower case and without port. */
export async function findMappingByHost(db: Db, host: string): Promise<MappedHost | undefined> {
  const { prefix, suffix } = splitHost(host);
  return await db
    .selectFrom('mapping')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('server.suffix', '=', suffix)
    .where('mapping.prefix', '=', prefix)
    .select(['mapping.id as mappingId', 'mapping.enabled as mappingEnabled', 'mapping.policy'])
    .select(['device.id as deviceId', 'device.userId'])
    .executeTakeFirst();
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
