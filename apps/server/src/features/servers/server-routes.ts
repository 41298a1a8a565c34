import { AppError, type Server } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { findServer, listServers, updateServer, type ServerRow } from './server-store.ts';

/** Lists the regions, and lets superusers change them. */
export function registerServerRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/servers/', { login: 'required' }, async () => (await listServers(db)).map(serverReply));
  mount(app, 'PATCH /api/manage/servers/{id}/', { login: 'required' }, async ({ params, body }) => {
    await updateServer(db, params.id, body);
    const server = await findServer(db, params.id);
    if (server === undefined) throw new AppError('server.not-found');
    return serverReply(server);
  });
}

function serverReply({ load, ...server }: ServerRow): Server {
  return { ...server, state: load === null ? 'down' : 'up', load: load ?? 0 };
}
