import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { listManagedJobs } from './managed-job-store.ts';

type ManageJobDeps = {
  db: Db;
  /** The jobs that this server runs. Others ran earlier, such as those of the shop before billing was switched off. */
  names: readonly string[];
};

/** For staff: the jobs that one of all server processes runs at a time, and how they went. */
export function registerManageJobRoutes(app: FastifyInstance, { db, names }: ManageJobDeps): void {
  mount(app, 'GET /api/manage/jobs/', { login: 'required' }, async () => {
    const jobs = await listManagedJobs(db, names);
    return jobs.map((job) => ({
      name: job.name,
      every_seconds: job.everySeconds,
      next_run_at: job.nextRunAt.toISOString(),
      last_started_at: job.lastStartedAt?.toISOString() ?? null,
      last_finished_at: job.lastFinishedAt?.toISOString() ?? null,
      last_error: job.lastError,
      is_running: job.isRunning,
    }));
  });
}
