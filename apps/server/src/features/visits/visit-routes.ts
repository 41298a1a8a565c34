import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount, mountCsv } from '../../http/mount.ts';
import { getOwnMapping } from '../mappings/index.ts';
import { exportVisits } from './export-visits.ts';
import { listVisits } from './list-visits.ts';
import { deleteVisitsOf } from './visit-store.ts';

/** The owner's calls for the visitor log of a mapping. */
export function registerVisitRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/records/{id}/visits/', { login: 'required' }, async ({ params, query, session }) => {
    const { limit, before, after, ...filter } = query;
    const asked = { mappingId: params.id, userId: session.userId, filter };
    return await listVisits(db, asked, { limit, before, after });
  });
  mountCsv(
    app,
    'GET /api/user/records/{id}/visits/export/',
    { login: 'required' },
    async ({ params, query: filter, session }) => {
      const lines = await exportVisits(db, { mappingId: params.id, userId: session.userId, filter });
      return { filename: `visits-${params.id}.csv`, lines };
    },
  );
  mount(app, 'DELETE /api/user/records/{id}/visits/', { login: 'required' }, async ({ params, session }) => {
    await getOwnMapping(db, { mappingId: params.id, userId: session.userId });
    return { deleted: await db.transaction().execute((tx) => deleteVisitsOf(tx, params.id)) };
  });
}
