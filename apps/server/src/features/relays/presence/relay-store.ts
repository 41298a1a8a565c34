import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { relayIsAlive } from '../../devices/index.ts';

/** The region to which relays belong: the one with this suffix, otherwise the oldest. */
export async function getHomeServerId(db: Db, suffix: string): Promise<number> {
  const row = await db
    .selectFrom('server')
    .orderBy((eb) => eb('suffix', '=', suffix), 'desc')
    .orderBy('id')
    .select('id')
    .executeTakeFirst();
  if (row === undefined) throw new Error('no server region: the first start was not done');
  return row.id;
}

export async function saveRelay(tx: Db, relay: { id: string; serverId: number; bootId: string }): Promise<void> {
  await tx
    .insertInto('relay')
    .values({ ...relay, lastSeenAt: sql`now()` })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        serverId: eb.ref('excluded.serverId'),
        bootId: eb.ref('excluded.bootId'),
        lastSeenAt: eb.ref('excluded.lastSeenAt'),
      })),
    )
    .execute();
}

/** Stores a heartbeat. False if another start of the relay has the row: a second process with this id has said hello since. */
export async function touchRelay(db: Db, relay: { id: string; bootId: string; load: number }): Promise<boolean> {
  const row = await db
    .updateTable('relay')
    .set({ lastSeenAt: sql`now()`, load: relay.load })
    .where('id', '=', relay.id)
    .where('bootId', '=', relay.bootId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The relays whose heartbeat has not timed out. */
export async function listAliveRelays(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('relay').where(relayIsAlive()).select('id').execute();
  return rows.map((row) => row.id);
}

/** The owners of devices that no other relay with a current heartbeat has. */
export async function listOwnersDependingOn(db: Db, relayIds: string[]): Promise<number[]> {
  if (relayIds.length === 0) return [];
  const rows = await db
    .selectFrom('devicePresence as here')
    .innerJoin('device', 'device.id', 'here.deviceId')
    .where('here.relayId', 'in', relayIds)
    .where('here.online', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('devicePresence as elsewhere')
            .innerJoin('relay', 'relay.id', 'elsewhere.relayId')
            .whereRef('elsewhere.deviceId', '=', 'here.deviceId')
            .where('elsewhere.relayId', 'not in', relayIds)
            .where('elsewhere.online', '=', true)
            .where(relayIsAlive())
            .select('elsewhere.deviceId'),
        ),
      ),
    )
    .select('device.userId')
    .distinct()
    .execute();
  return rows.map((row) => row.userId);
}
