import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/driver.ts';
import { runEvery } from './run-every.ts';

/** A job that one of all server processes runs at a time. `run` may be repeated after a crash, so it must bear that. */
export type SharedJob = { name: string; everySeconds: number; run: () => Promise<void> };

const LOOK_EVERY_MS = 1_000;
/** After this time another process may take the job of one that has died. No job takes as long. */
const TAKEN_MINUTES = 10;

/** Runs each job when it is due, until disposed. The table `job` says when it ran last and with which error. */
export async function runSharedJobs(db: Db, jobs: readonly SharedJob[], log: Logger): Promise<AsyncDisposable> {
  for (const { name, everySeconds } of jobs) {
    await db
      .insertInto('job')
      .values({ name, everySeconds })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ everySeconds }))
      .execute();
  }
  const parts = new AsyncDisposableStack();
  for (const job of jobs) {
    const run = async (): Promise<void> => await runIfDue(db, job, log);
    parts.use(runEvery({ name: job.name, everyMs: LOOK_EVERY_MS, run }, log));
  }
  return parts;
}

async function runIfDue(db: Db, job: SharedJob, log: Logger): Promise<void> {
  if (!(await takeJob(db, job.name))) return;
  let problem: string | null = null;
  try {
    await job.run();
  } catch (err) {
    log.error({ err, job: job.name }, 'job failed');
    problem = err instanceof Error ? err.message : String(err);
  }
  await db
    .updateTable('job')
    .set({ takenUntil: null, lastFinishedAt: sql<Date>`now()`, lastError: problem })
    .where('name', '=', job.name)
    .execute();
}

/** One statement: of two processes that see the job due, one takes it. */
async function takeJob(db: Db, name: string): Promise<boolean> {
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
