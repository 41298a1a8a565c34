import { sql } from 'kysely';
import type { Db } from '../db/driver.ts';

/** After this time another process may take the job of one that has died. No job takes as long. */
const TAKEN_MINUTES = 10;

export async function saveJob(db: Db, job: { name: string; everySeconds: number }): Promise<void> {
  await db
    .insertInto('job')
    .values(job)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ everySeconds: job.everySeconds }))
    .execute();
}

/** Takes the job if it is due. One statement: of two processes that see it due, one takes it. */
export async function takeDueJob(db: Db, name: string): Promise<boolean> {
  const row = await db
    .updateTable('job')
    .set({
      takenUntil: sql<Date>`now() + make_interval(mins => ${TAKEN_MINUTES})`,
      lastStartedAt: sql<Date>`now()`,
      nextRunAt: sql<Date>`now() + make_interval(secs => every_seconds)`,
    })
    .where('name', '=', name)
    .where('nextRunAt', '<=', sql<Date>`now()`)
    .where(sql<boolean>`(taken_until is null or taken_until < now())`)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** `problem`: why it failed; null when it did not. */
export async function releaseJob(db: Db, name: string, problem: string | null): Promise<void> {
  await db
    .updateTable('job')
    .set({ takenUntil: null, lastFinishedAt: sql<Date>`now()`, lastError: problem })
    .where('name', '=', name)
    .execute();
}
