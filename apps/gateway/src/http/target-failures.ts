import { AppError, type AppFailure, appFailures, loginFailures, type LoginProblem } from '@tongtu/contract';
import { CredentialsRequiredError, HostKeyError } from '../session/login-errors.ts';
import { NoCommonAlgorithmError, SessionEndedError, TargetError } from '../session/live-session.ts';
import { type Failure, failureFor } from './send-problem.ts';

export type TargetFailure = Failure<
  Partial<Pick<LoginProblem, 'wanted' | 'fingerprint' | 'known_fingerprint' | 'algorithms'>>
>;

/** The status of failures of the connection; of all others it is 502. */
const targetStatus: Partial<Record<AppFailure, number>> = {
  'device-offline': 503,
  busy: 503,
  'over-budget': 503,
  'timed-out': 504,
  'not-allowed': 403,
  'login-failed': 403,
  'key-unreadable': 422,
  'host-key-changed': 409,
};

/** How an expected failure of the session, the connection or the login is reported; undefined for all others. */
export function targetFailureOf(error: unknown): TargetFailure | undefined {
  if (error instanceof SessionEndedError)
    return { code: `target.${error.code}`, status: 410, ...appFailures[error.code] };
  if (error instanceof NoCommonAlgorithmError) return { ...targetFailure(error.code), algorithms: error.mismatch };
  if (error instanceof TargetError) return targetFailure(error.code);
  if (error instanceof AppError) return failureFor(error.code);
  if (error instanceof CredentialsRequiredError)
    return { code: 'login.credentials-required', ...loginFailures['credentials-required'], wanted: error.wanted };
  if (error instanceof HostKeyError) return hostKeyFailure(error);
  return undefined;
}

function targetFailure(code: AppFailure): Failure {
  return { code: `target.${code}`, status: targetStatus[code] ?? 502, ...appFailures[code] };
}

function hostKeyFailure({ fingerprint, known }: HostKeyError): TargetFailure {
  if (known === null) return { code: 'login.host-key-unknown', ...loginFailures['host-key-unknown'], fingerprint };
  return { ...targetFailure('host-key-changed'), fingerprint, known_fingerprint: known };
}
