import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Job = { name: string; everyMs: number; run: () => Promise<unknown> };

/** Runs a job after every interval until disposed. A failure is logged, and the job runs again after the next interval. */
export function runEvery(job: Job, log: Logger): AsyncDisposable {
  const stop = new AbortController();
  const ended = loop(job, log, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function loop(job: Job, log: Logger, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await delay(job.everyMs, undefined, { signal, ref: false });
    } catch {
      return; // aborted, the only reason for a delay to fail
    }
    try {
      await job.run();
    } catch (err) {
      log.error({ err, job: job.name }, 'job failed');
    }
  }
}
