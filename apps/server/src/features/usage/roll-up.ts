import type { Db } from '../../db/driver.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { addUpDays, addUpMonths, saveDoneUntil, takeFinished } from './roll-up-store.ts';
import { deleteOldRecent, waitForReports } from './usage-store.ts';

const ROLL_UP_EVERY_SECONDS = 300;

/**
 * Adds up finished hours to days and finished days to months, in one transaction: after a crash it begins again. No report
 * can come later for what was added up.
 */
export async function rollUp(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await waitForReports(tx);
    const days = await takeFinished(tx, 'day');
    if (days) {
      await addUpDays(tx, days);
      await saveDoneUntil(tx, 'day', days.to);
    }
    const months = await takeFinished(tx, 'month');
    if (months) {
      await addUpMonths(tx, months);
      await saveDoneUntil(tx, 'month', months.to);
    }
  });
  await deleteOldRecent(db);
}

export function statisticsJobs({ db }: { db: Db }): SharedJob[] {
  return [{ name: 'add up statistics', everySeconds: ROLL_UP_EVERY_SECONDS, run: async () => await rollUp(db) }];
}
