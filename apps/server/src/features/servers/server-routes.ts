import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { listServers } from './server-store.ts';

/** `GET /api/user/servers/`. */
export function registerServerRoutes(app: FastifyInstance, deps: { db: Db }): void {
  mount(app, 'GET /api/user/servers/', { login: 'required' }, async () => {
    const servers = await listServers(deps.db);
    return servers.map(({ id, name, suffix, isp, maintenance, load }) => {
      const state = load === null ? ('down' as const) : ('up' as const);
      return { id, name, suffix, isp, maintenance, state, load: load ?? 0 };
    });
  });
}
