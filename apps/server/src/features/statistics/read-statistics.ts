import type { Statistics } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  figuresOf,
  listTopMappings,
  listTopPlaces,
  listTopVisitors,
  listUptime,
  listUsage,
  readPeriod,
  type Period,
  type UsageRow,
  type UsageScope,
  type UsageUnit,
} from '../usage/index.ts';

const MAX_TOP = 10;
const MAX_BARS = 90;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEIJING_MS = 8 * HOUR_MS;

/** Everything that the screen of the statistics shows of an account, a device or a mapping. */
export async function readStatistics(
  db: Db,
  scope: UsageScope,
  { unit, points }: { unit: UsageUnit; points: number },
): Promise<Statistics> {
  const period = await readPeriod(db, unit, points);
  const [rows, mappings, visitors, places, uptime] = await Promise.all([
    listUsage(db, scope, period),
    scope.mappingId === undefined ? listTopMappings(db, scope, period, MAX_TOP) : [],
    listTopVisitors(db, scope, period, MAX_TOP),
    listTopPlaces(db, scope, period, MAX_TOP),
    readUptime(db, scope, period, points),
  ]);
  const byTime = new Map(rows.map((row) => [row.at.getTime(), row]));
  const times = timesOf(period);
  const ofPeriod = (isOld: boolean): UsageRow[] => rows.filter((row) => row.at < period.from === isOld);
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    points: times.map((at) => {
      const row = byTime.get(at);
      return { at: new Date(at).toISOString(), ...figuresOf(row === undefined ? [] : [row]) };
    }),
    total: figuresOf(ofPeriod(false)),
    previous: figuresOf(ofPeriod(true)),
    top_mappings: mappings.map(({ mappingId, deviceId, ...top }) => ({ mapping: mappingId, router: deviceId, ...top })),
    top_visitors: visitors.map(({ who, grantedBy, requests }) => ({ who, granted_by: grantedBy, requests })),
    top_places: places,
    ...uptime,
  };
}

/** The begins of all points. Beijing has no summer time, so its days have 24 hours. */
function timesOf({ unit, from, to }: Period): number[] {
  const times: number[] = [];
  for (let at = from.getTime(); at < to.getTime(); at = nextOf(unit, at)) times.push(at);
  return times;
}

function nextOf(unit: UsageUnit, at: number): number {
  if (unit !== 'month') return at + (unit === 'hour' ? HOUR_MS : DAY_MS);
  const local = new Date(at + BEIJING_MS);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1) - BEIJING_MS;
}

async function readUptime(
  db: Db,
  scope: UsageScope,
  period: Period,
  points: number,
): Promise<Pick<Statistics, 'uptime_from' | 'uptime'>> {
  const unit = period.unit === 'hour' ? 'hour' : 'day';
  const stepMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const bars = period.unit === 'month' ? MAX_BARS : Math.min(points, MAX_BARS);
  const last = Math.floor((period.now.getTime() + BEIJING_MS) / stepMs) * stepMs - BEIJING_MS;
  const first = last - (bars - 1) * stepMs;
  const rows = await listUptime(db, scope, unit, new Date(first));
  const uptime = [...Map.groupBy(rows, (row) => row.deviceId)].map(([router, own]) => {
    const shares = Array.from({ length: bars }, (): number | null => null);
    for (const row of own)
      if (row.at !== null) shares[Math.round((row.at.getTime() - first) / stepMs)] = shareOf([row]);
    return { router, name: own[0]?.name ?? '', share: shareOf(own), bars: shares };
  });
  return { uptime_from: new Date(first).toISOString(), uptime };
}

function shareOf(rows: readonly { onlineMs: number; observedMs: number }[]): number | null {
  const observed = rows.reduce((sum, row) => sum + row.observedMs, 0);
  return observed === 0 ? null : rows.reduce((sum, row) => sum + row.onlineMs, 0) / observed;
}
