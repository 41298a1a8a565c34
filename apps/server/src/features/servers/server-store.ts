import type { Db } from '../../db/driver.ts';
import { relayIsAlive } from '../devices/index.ts';

export type ServerRow = {
  id: number;
  name: string;
  suffix: string;
  isp: string;
  maintenance: boolean;
  /** Of its busiest relay process; null when none is up. */
  load: number | null;
};

export async function listServers(db: Db): Promise<ServerRow[]> {
  return await db
    .selectFrom('server')
    .leftJoin('relay', (join) => join.onRef('relay.serverId', '=', 'server.id').on(relayIsAlive()))
    .groupBy('server.id')
    .orderBy('server.id')
    .select(['server.id', 'server.name', 'server.suffix', 'server.isp', 'server.maintenance'])
    .select((eb) => eb.fn.max('relay.load').as('load'))
    .execute();
}
