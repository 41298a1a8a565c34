import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

const hostColumns = [
  ...(['id', 'address', 'mac', 'vendor', 'name', 'kind', 'isSelf', 'firstSeen', 'lastSeen'] as const),
];
const serviceColumns = ['id', 'hostId', 'port', 'protocol', 'kind', 'title', 'firstSeen', 'lastSeen'] as const;

export type LanHostRow = Pick<Selectable<Database['lanHost']>, (typeof hostColumns)[number]>;
export type LanServiceRow = Pick<Selectable<Database['lanService']>, (typeof serviceColumns)[number]>;
/** What identifies a host in a later scan. */
export type KnownHost = Pick<LanHostRow, 'id' | 'address' | 'mac'>;

type HostValues = Pick<LanHostRow, 'address' | 'mac' | 'vendor' | 'name' | 'kind' | 'isSelf'>;
type ServiceValues = Omit<Insertable<Database['lanService']>, 'hostId' | 'firstSeen' | 'lastSeen'>;

/** What was not seen for so long is forgotten. */
const KEEP_DAYS = 30;

export async function listHosts(db: Db, deviceId: number): Promise<LanHostRow[]> {
  return await db.selectFrom('lanHost').where('deviceId', '=', deviceId).select(hostColumns).orderBy('id').execute();
}

export async function listServices(db: Db, deviceId: number): Promise<LanServiceRow[]> {
  return await db
    .selectFrom('lanService')
    .innerJoin('lanHost', 'lanHost.id', 'lanService.hostId')
    .where('lanHost.deviceId', '=', deviceId)
    .select(serviceColumns.map((column) => `lanService.${column}` as const))
    .orderBy('port')
    .execute();
}

export async function listKnownHosts(db: Db, deviceId: number): Promise<KnownHost[]> {
  return await db
    .selectFrom('lanHost')
    .where('deviceId', '=', deviceId)
    .select(['id', 'address', 'mac'])
    .orderBy('lastSeen', 'desc')
    .execute();
}

export async function insertHost(tx: Db, deviceId: number, host: HostValues): Promise<number> {
  const { id } = await tx
    .insertInto('lanHost')
    .values({ ...host, deviceId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateHost(tx: Db, id: number, { name, kind, vendor, ...host }: HostValues): Promise<void> {
  await tx
    .updateTable('lanHost')
    .set({
      ...host,
      lastSeen: sql<Date>`now()`,
      // A scan may see less than the one before: what it does not know stays.
      ...(vendor !== '' && { vendor }),
      ...(name !== '' && { name }),
      ...(kind !== null && { kind }),
    })
    .where('id', '=', id)
    .execute();
}

export async function upsertServices(tx: Db, hostId: number, services: readonly ServiceValues[]): Promise<void> {
  if (services.length === 0) return;
  await tx
    .insertInto('lanService')
    .values(services.map((service) => ({ ...service, hostId })))
    .onConflict((conflict) =>
      conflict.columns(['hostId', 'port']).doUpdateSet((eb) => ({
        protocol: eb.ref('excluded.protocol'),
        kind: eb.ref('excluded.kind'),
        title: eb.ref('excluded.title'),
        lastSeen: sql`now()`,
      })),
    )
    .execute();
}

export async function deleteHostsOfDevice(tx: Db, deviceId: number): Promise<void> {
  await tx.deleteFrom('lanHost').where('deviceId', '=', deviceId).execute();
}

/** Part of the clean-up. */
export async function deleteOldLanHosts(db: Db): Promise<void> {
  const old = sql<Date>`now() - make_interval(days => ${KEEP_DAYS})`;
  await db.deleteFrom('lanHost').where('lastSeen', '<', old).execute();
  await db.deleteFrom('lanService').where('lastSeen', '<', old).execute();
}
