import type { SchedulerDeps } from './certificate-scheduler.ts';

/** Has every certificate that is wanted, until disposed. */
export async function startCertificateScheduler(deps: SchedulerDeps): Promise<AsyncDisposable> {
  // Loaded where it is wanted only: the ACME library takes 40 MB and a third of a second, and most installations have no use for it.
  const { CertificateScheduler } = await import('./certificate-scheduler.ts');
  return await CertificateScheduler.start(deps);
}
