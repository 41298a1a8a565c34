import { LIVE_POINTS, LIVE_STEP_MS, MAX_STATISTICS_POINTS } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { mount, mountCsv } from '../../http/mount.ts';
import { getOwnDevice } from '../devices/index.ts';
import { getOwnMapping } from '../mappings/index.ts';
import { listRecent, type UsageScope, type UsageUnit } from '../usage/index.ts';
import { exportStatistics } from './export-statistics.ts';
import { type Asked, readPoints, readStatistics } from './read-statistics.ts';

type AskedScope = { router?: number | undefined; mapping?: number | undefined };
type AskedView = AskedScope & { unit: UsageUnit; points: number; until?: string | undefined };

/** The statistics of one's own account, devices and mappings. */
export function registerStatisticsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/statistics/', { login: 'required' }, async ({ query, session }) => {
    return await readStatistics(db, await scopeOf(db, session.userId, query), viewOf(query));
  });
  mountCsv(app, 'GET /api/user/statistics/export/', { login: 'required' }, async ({ query, session }) => {
    const points = await readPoints(db, await scopeOf(db, session.userId, query), viewOf(query));
    return { filename: 'statistics.csv', lines: exportStatistics(points) };
  });
  mount(app, 'GET /api/user/statistics/live/', { login: 'required' }, async ({ query, session }) => {
    const scope = await scopeOf(db, session.userId, query);
    // Steps begin at the same moments in every call, so that points do not change between two.
    const now = (await readClock(db)).getTime();
    const from = (Math.floor(now / LIVE_STEP_MS) - LIVE_POINTS + 1) * LIVE_STEP_MS;
    const rows = new Map((await listRecent(db, scope, new Date(from), LIVE_STEP_MS)).map((row) => [row.step, row]));
    const points = Array.from({ length: LIVE_POINTS }, (_, step) => {
      const row = rows.get(step);
      const { requests = 0, errors = 0 } = row ?? {};
      return { bytes_in: row?.bytesIn ?? 0, bytes_out: row?.bytesOut ?? 0, requests, errors };
    });
    return { from: new Date(from).toISOString(), step_ms: LIVE_STEP_MS, points };
  });
}

function viewOf({ unit, points, until }: AskedView): Asked {
  const most = MAX_STATISTICS_POINTS[unit];
  return { unit, points: Math.min(points, most), until: until === undefined ? undefined : new Date(until) };
}

/** Throws device.not-found or mapping.not-found, also for those of others. */
async function scopeOf(db: Db, userId: number, { router, mapping }: AskedScope): Promise<UsageScope> {
  if (mapping !== undefined) return { userId, mappingId: (await getOwnMapping(db, { userId, mappingId: mapping })).id };
  if (router !== undefined) return { userId, deviceId: (await getOwnDevice(db, userId, { id: router })).id };
  return { userId };
}
