import type { CertificateProblem } from '@tongtu/contract';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

// Let's Encrypt allows five failed validations an hour for a name: tries at 0, 1, 16, 46 and 106 minutes stay below.
const AUTHORITY_RETRY = { firstMs: 15 * MINUTE_MS, maxMs: 12 * HOUR_MS };
// For failures that the authority does not count, because no request reached it.
const CHEAP_RETRY = { firstMs: MINUTE_MS, maxMs: HOUR_MS };
const MAX_RETRY_AFTER_MS = 7 * 24 * HOUR_MS;

const cheapProblems: ReadonlySet<CertificateProblem> = new Set([
  'name-unresolved',
  'authority-unreachable',
  'dns-provider-refused',
  'dns-provider-unreachable',
  'dns-zone-missing',
  'dns-not-propagated',
]);

// A relay that is starting or a record that was just set can cause these, so one quick retry is worthwhile.
const transientProblems: ReadonlySet<CertificateProblem> = new Set([
  'connection-failed',
  'answer-wrong',
  'dns-lookup-failed',
]);

/** How long to wait after the nth failure in a row, with up to 10 % jitter so that names are not retried together. */
export function retryDelayMs(
  failure: { problem: CertificateProblem; failures: number; retryAfterMs: number | undefined },
  random: () => number,
): number {
  const { problem, failures } = failure;
  const { firstMs, maxMs } = cheapProblems.has(problem) ? CHEAP_RETRY : AUTHORITY_RETRY;
  const quickTries = transientProblems.has(problem) ? 1 : 0;
  const doubledMs = failures <= quickTries ? MINUTE_MS : Math.min(firstMs * 2 ** (failures - 1 - quickTries), maxMs);
  const requestedMs = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.round(Math.max(doubledMs, requestedMs) * (1 + 0.1 * random()));
}

/** Whether the next attempt can continue the same order, because the problem is not in the order itself. */
export function canResumeOrder(problem: CertificateProblem): boolean {
  return cheapProblems.has(problem) || problem === 'authority-slow';
}

/** When a third of the lifetime is left, with jitter of up to a thirtieth of the lifetime earlier. */
export function renewalTime(validity: { notBefore: Date; notAfter: Date }, random: () => number): Date {
  const lifetimeMs = validity.notAfter.getTime() - validity.notBefore.getTime();
  return new Date(validity.notAfter.getTime() - lifetimeMs * (1 / 3 + random() / 30));
}
