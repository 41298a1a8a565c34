export { statisticsJobs } from './roll-up.ts';
export { storeUsage } from './store-usage.ts';
export { deleteOldUsage, listUsageOfLastDay, type UsageSum } from './usage-store.ts';
