import type { Statistics } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  beginOf,
  figuresOf,
  listTopMappings,
  listTopPlaces,
  listTopVisitors,
  listUptime,
  listUsage,
  type Period,
  periodUntil,
  pointsOf,
  type Progress,
  readProgress,
  sumUsage,
  timeBefore,
  type UsagePoint,
  type UsageScope,
  type UsageUnit,
} from '../usage/index.ts';

const MAX_TOP = 10;
const MAX_BARS = 90;

/** `until` lies in the last point; without it, or in the future, the last point is the present one. */
export type Asked = { unit: UsageUnit; points: number; until: Date | undefined };

/** Everything that the screen of the statistics shows of an account, a device or a mapping. */
export async function readStatistics(db: Db, scope: UsageScope, asked: Asked): Promise<Statistics> {
  const { now, at, period, progress } = await readPeriod(db, asked);
  const before = timeBefore(period, now);
  const [rows, total, previous, mappings, visitors, places, uptime] = await Promise.all([
    listUsage(db, scope, { period, progress }),
    sumUsage(db, scope, { time: period, progress }),
    before && sumUsage(db, scope, { time: before, progress }),
    scope.mappingId === undefined ? listTopMappings(db, scope, { period, progress, limit: MAX_TOP }) : [],
    listTopVisitors(db, scope, period, MAX_TOP),
    listTopPlaces(db, scope, period, MAX_TOP),
    readUptime(db, scope, { ...asked, at, progress }),
  ]);
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    points: toPoints(rows, period),
    total: figuresOf(total),
    previous: before ? figuresOf(previous) : null,
    top_mappings: mappings.map(({ mappingId, deviceId, ...top }) => ({ mapping: mappingId, router: deviceId, ...top })),
    top_visitors: visitors.map(({ who, grantedBy, requests }) => ({ who, granted_by: grantedBy, requests })),
    top_places: places,
    ...uptime,
  };
}

/** Only the points of the same view. */
export async function readPoints(db: Db, scope: UsageScope, asked: Asked): Promise<Statistics['points']> {
  const { period, progress } = await readPeriod(db, asked);
  return toPoints(await listUsage(db, scope, { period, progress }), period);
}

async function readPeriod(db: Db, asked: Asked) {
  const { now, ...progress } = await readProgress(db);
  const at = asked.until === undefined || asked.until > now ? now : asked.until;
  return { now, at, period: periodUntil(at, asked), progress };
}

function toPoints(rows: readonly UsagePoint[], period: Period): Statistics['points'] {
  const byTime = new Map(rows.map((row) => [row.at.getTime(), row]));
  return pointsOf(period).map((begin) => ({ at: begin.toISOString(), ...figuresOf(byTime.get(begin.getTime())) }));
}

async function readUptime(
  db: Db,
  scope: UsageScope,
  { unit, points, at, progress }: { unit: UsageUnit; points: number; at: Date; progress: Progress },
): Promise<Pick<Statistics, 'uptime_from' | 'uptime'>> {
  const step = unit === 'hour' ? 'hour' : 'day';
  const bars = unit === 'month' ? MAX_BARS : Math.min(points, MAX_BARS);
  const from = beginOf(step, at, { plus: 1 - bars });
  const devices = await listUptime(db, scope, { unit: step, from, bars, progress });
  return {
    uptime_from: from.toISOString(),
    uptime: devices.map(({ deviceId, ...uptime }) => ({ router: deviceId, ...uptime })),
  };
}
