import { AppError, type AppFailure, appFailures, fileFailures, type FileProblem } from '@tongtu/contract';
import { type Failure, failureFor } from '../../http/send-problem.ts';
import { SessionEndedError, TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';
import { CredentialsRequiredError, HostKeyError } from '../login-errors.ts';

type FileProblemFailure = Failure<Partial<Pick<FileProblem, 'wanted' | 'fingerprint' | 'known_fingerprint'>>>;

/** The status of failures of the connection; of all others it is 502. */
const targetStatus: Partial<Record<AppFailure, number>> = {
  'device-offline': 503,
  busy: 503,
  'timed-out': 504,
  'not-allowed': 403,
  'login-failed': 403,
  'key-unreadable': 422,
  'host-key-changed': 409,
};

/** How an expected failure is reported; undefined for bugs. */
export function failureOf(error: unknown): FileProblemFailure | undefined {
  if (error instanceof FileError) return fileFailure(error);
  if (error instanceof SessionEndedError)
    return { code: `target.${error.code}`, status: 410, ...appFailures[error.code] };
  if (error instanceof TargetError) return targetFailure(error.code);
  if (error instanceof AppError) return failureFor(error.code);
  if (error instanceof CredentialsRequiredError)
    return { code: 'files.credentials-required', ...fileFailures['credentials-required'], wanted: error.wanted };
  if (error instanceof HostKeyError) return hostKeyFailure(error);
  return undefined;
}

export function fileFailure({ code }: FileError): Failure {
  return { code: `files.${code}`, ...fileFailures[code] };
}

function targetFailure(code: AppFailure): Failure {
  return { code: `target.${code}`, status: targetStatus[code] ?? 502, ...appFailures[code] };
}

function hostKeyFailure({ fingerprint, known }: HostKeyError): FileProblemFailure {
  if (known === null) return { code: 'files.host-key-unknown', ...fileFailures['host-key-unknown'], fingerprint };
  return { ...targetFailure('host-key-changed'), fingerprint, known_fingerprint: known };
}
