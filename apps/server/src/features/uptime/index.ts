import type { Db } from '../../db/driver.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { recordUptime } from './uptime-store.ts';

const EVERY_SECONDS = 15;

/** Adds up how long each device is online, for the statistics. */
export function uptimeJobs({ db }: { db: Db }): SharedJob[] {
  return [{ name: 'observe devices', everySeconds: EVERY_SECONDS, run: async () => await recordUptime(db) }];
}

export { recordUptime };
