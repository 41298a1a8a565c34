export { statisticsJobs } from './roll-up.ts';
export { moveUsage } from './move-usage-store.ts';
export { startOf } from './usage-time-store.ts';
export { storeUsage } from './store-usage.ts';
export { deleteOldUsage, listUsageOfLastDay, type UsageSum } from './usage-store.ts';
