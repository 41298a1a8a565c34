export { statisticsJobs } from './roll-up.ts';
export { moveUsage } from './move-usage-store.ts';
export { startOf } from './usage-time-store.ts';
export { storeUsage } from './store-usage.ts';
export { deleteOldUsage, listUsageOfLastDay, type UsageSum } from './usage-store.ts';
export { figuresOf } from './figures.ts';
export { listRecent, listTopPlaces, listTopVisitors, listUptime } from './statistics-source-store.ts';
export {
  listTopMappings,
  listUsage,
  readPeriod,
  type Period,
  type UsageRow,
  type UsageScope,
} from './statistics-store.ts';
export type { UsageUnit } from './usage-time-store.ts';
