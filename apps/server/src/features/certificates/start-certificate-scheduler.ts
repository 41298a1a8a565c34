import type { SchedulerDeps } from './certificate-scheduler.ts';

/** Starts the scheduler, which orders and renews certificates until it is disposed. */
export async function startCertificateScheduler(deps: SchedulerDeps): Promise<AsyncDisposable> {
  // Loaded on demand: the ACME library takes 40 MB and a third of a second, and most installations do not use it.
  const { CertificateScheduler } = await import('./certificate-scheduler.ts');
  return await CertificateScheduler.start(deps);
}
