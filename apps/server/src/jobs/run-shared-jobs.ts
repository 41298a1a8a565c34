import type { SharedJobName } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../db/driver.ts';
import { releaseJob, saveJob, takeDueJob } from './job-store.ts';
import { runEvery } from './run-every.ts';

/** A job that one of all server processes runs at a time. `run` may be repeated after a crash, so it must bear that. */
export type SharedJob = { name: SharedJobName; everySeconds: number; run: () => Promise<void> };

const LOOK_EVERY_MS = 1_000;

/** Runs each job when it is due, until disposed. The table `job` says when it ran last and with which error. */
export async function runSharedJobs(db: Db, jobs: readonly SharedJob[], log: Logger): Promise<AsyncDisposable> {
  for (const { name, everySeconds } of jobs) await saveJob(db, { name, everySeconds });
  const parts = new AsyncDisposableStack();
  for (const job of jobs) {
    const run = async (): Promise<void> => await runIfDue(db, job, log);
    parts.use(runEvery({ name: job.name, everyMs: LOOK_EVERY_MS, run }, log));
  }
  return parts;
}

async function runIfDue(db: Db, job: SharedJob, log: Logger): Promise<void> {
  if (!(await takeDueJob(db, job.name))) return;
  let problem: string | null = null;
  try {
    await job.run();
  } catch (err) {
    log.error({ err, job: job.name }, 'job failed');
    problem = err instanceof Error ? err.message : String(err);
  }
  await releaseJob(db, job.name, problem);
}
