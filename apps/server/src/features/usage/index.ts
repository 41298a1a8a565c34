export { statisticsJobs } from './roll-up.ts';
export { moveUsage } from './move-usage-store.ts';
export { startOf } from './usage-time-store.ts';
export { storeUsage } from './store-usage.ts';
export { LastDayUsage } from './last-day-usage.ts';
export { listUsageOfLastDay, type UsageSum } from './last-day-store.ts';
export { deleteOldUsage } from './usage-store.ts';
export { figuresOf } from './figures.ts';
export { listRecent, listTopPlaces, listTopVisitors, listUptime } from './statistics-source-store.ts';
export { beginOf, type Period, periodUntil, pointsOf, type Progress, timeBefore } from './period.ts';
export {
  listTopMappings,
  listUsage,
  readProgress,
  sumUsage,
  type UsagePoint,
  type UsageScope,
} from './statistics-store.ts';
export type { UsageUnit } from './usage-time-store.ts';
