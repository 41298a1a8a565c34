import type { Db } from '../../db/driver.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { notifyOfPlans } from '../alerts/index.ts';
import { announcePlanChange } from '../live/index.ts';
import { type DuePlan, takeDuePlans } from './reminder-store.ts';

const BATCH = 200;

/** Reminds owners of plans 7, 3 and 1 day before the end and at the end. At the end their open consoles reload, too. */
export function planReminderJob({ db }: { db: Db }): SharedJob {
  return { name: 'remind of plans', everySeconds: 10, run: async () => await remindOfPlans(db) };
}

export async function remindOfPlans(db: Db): Promise<void> {
  for (;;) {
    const count = await db.transaction().execute(async (tx) => await remindOfSome(tx));
    if (count < BATCH) return;
  }
}

/** The marks and the messages are one transaction, so that each reminder is made once. */
async function remindOfSome(tx: Db): Promise<number> {
  const due = await takeDuePlans(tx, BATCH);
  for (const [userId, plans] of Map.groupBy(due, (plan) => plan.userId)) {
    const ended = plans.filter(({ daysLeft }) => daysLeft === 0);
    const ending = plans.filter(({ daysLeft }) => daysLeft > 0);
    await notifyOfPlans(tx, userId, { event: 'plan_expiring', plans: ending.map(detailsOf) });
    await notifyOfPlans(tx, userId, { event: 'plan_expired', plans: ended.map(detailsOf) });
    const deviceIds = ended.flatMap(({ deviceId }) => deviceId ?? []);
    if (ended.length > 0) await announcePlanChange(tx, { userId, deviceIds });
  }
  return due.length;
}

function detailsOf({ id, name, deviceId, deviceName, endsAt }: DuePlan) {
  const device = deviceId === null ? null : { id: deviceId, name: deviceName ?? '' };
  return { id, name, device, ends: endsAt.toISOString() };
}
