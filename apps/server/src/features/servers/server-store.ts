import type { ServerPatch } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { relayIsAlive } from '../devices/index.ts';

export type ServerRow = {
  id: number;
  name: string;
  suffix: string;
  isp: string;
  maintenance: boolean;
  /** The load of its busiest relay; null when no relay is up. */
  load: number | null;
};

export async function listServers(db: Db): Promise<ServerRow[]> {
  return await selectServers(db).orderBy('server.id').execute();
}

export async function findServer(db: Db, id: number): Promise<ServerRow | undefined> {
  return await selectServers(db).where('server.id', '=', id).executeTakeFirst();
}

export async function updateServer(db: Db, id: number, patch: ServerPatch): Promise<void> {
  // SQL has no update without columns.
  if (Object.values(patch).every((value) => value === undefined)) return;
  await db.updateTable('server').set(patch).where('id', '=', id).execute();
}

function selectServers(db: Db) {
  return db
    .selectFrom('server')
    .leftJoin('relay', (join) => join.onRef('relay.serverId', '=', 'server.id').on(relayIsAlive()))
    .groupBy('server.id')
    .select(['server.id', 'server.name', 'server.suffix', 'server.isp', 'server.maintenance'])
    .select((eb) => eb.fn.max('relay.load').as('load'));
}
