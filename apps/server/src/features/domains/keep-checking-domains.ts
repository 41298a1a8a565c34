import type { Logger } from 'pino';
import { runEvery } from '../../jobs/run-every.ts';
import { checkDomain, type DomainCheckDeps } from './check-domain.ts';
import { claimDueDomains } from './domain-check-store.ts';

const LOOK_EVERY_MS = 5_000;
/** Of all users together, each time. */
const MAX_AT_ONCE = 8;

/** Checks custom domains that do not lead here yet, until disposed. Any number of server processes may do so at once. */
export function keepCheckingDomains(deps: DomainCheckDeps, log: Logger): AsyncDisposable {
  const run = async (): Promise<void> => await checkDueDomains(deps);
  return runEvery({ name: 'check domains', everyMs: LOOK_EVERY_MS, run }, log);
}

/** One round of it. */
export async function checkDueDomains(deps: DomainCheckDeps): Promise<void> {
  const due = await claimDueDomains(deps.db, MAX_AT_ONCE);
  await Promise.all(due.map(async (domain) => await checkDomain(deps, domain)));
}
