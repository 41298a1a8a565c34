import { must } from '@tongtu/base';
import { AppError, type Server } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { findServer, listServers, updateServer, type ServerRow } from './server-store.ts';

/** Lists the regions, and lets superusers change them. */
export function registerServerRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/servers/', { login: 'required' }, async () => (await listServers(db)).map(serverReply));
  mount(app, 'PATCH /api/manage/servers/{id}/', { login: 'required' }, async ({ params, body, session, req }) => {
    return await db.transaction().execute(async (tx) => {
      const before = await findServer(tx, params.id);
      if (before === undefined) throw new AppError('server.not-found');
      await updateServer(tx, params.id, body);
      const server = must(await findServer(tx, params.id), 'the changed server');
      const facts = ({ name, isp, maintenance }: ServerRow) => ({ name, isp, maintenance });
      const object = { type: 'server', id: server.id, name: server.name };
      const change = { before: facts(before), after: facts(server) };
      await recordAuditEntry(
        tx,
        { userId: session.userId, ip: req.ip },
        { action: 'server.changed', object, ...change },
      );
      return serverReply(server);
    });
  });
}

function serverReply({ load, ...server }: ServerRow): Server {
  return { ...server, state: load === null ? 'down' : 'up', load: load ?? 0 };
}
