import type { RefusedVisit } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { listRefusedVisits } from './list-refused-visits.ts';
import type { RefusedVisitRow } from './refused-visit-store.ts';

export type RefusedVisitRoutesDeps = {
  db: Db;
  /** The place of an address in Chinese, or '' if unknown. */
  placeOf: (ip: string) => string;
};

const path = '/api/user/verifications/refused/';

/** The owner's call for visits that were refused. */
export function registerRefusedVisitRoutes(app: FastifyInstance, { db, placeOf }: RefusedVisitRoutesDeps): void {
  mount(app, 'GET /api/user/verifications/refused/', { login: 'required' }, async ({ query, session }) => {
    const { mapping, router, search, ...page } = query;
    const filter = { ownerId: session.userId, mapping, router, search };
    const { count, visits } = await listRefusedVisits(db, filter, page);
    const results = visits.map((row) => refusedVisitReply(row, placeOf(row.visitorIp)));
    return { count, ...pageLinks(path, query, count), results };
  });
}

function refusedVisitReply(row: RefusedVisitRow, place: string): RefusedVisit {
  return {
    id: row.id,
    mapping: row.mappingId,
    mapping_deleted: row.isMappingDeleted,
    router: row.deviceId,
    router_deleted: row.isDeviceDeleted,
    router_name: row.deviceName,
    host: row.host,
    reason: row.reason,
    who: row.who,
    ip: row.visitorIp,
    place,
    user_agent: row.userAgent,
    browser: describeDevice(row.userAgent),
    count: row.count,
    first_at: row.firstAt.toISOString(),
    last_at: row.lastAt.toISOString(),
  };
}
