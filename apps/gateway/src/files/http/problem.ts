import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import {
  AppError,
  type AppFailure,
  appFailures,
  errorCatalogue,
  fileFailures,
  type FileProblem,
  type LocalizedText,
} from '@tongtu/contract';
import { SessionEndedError, TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';
import { CredentialsRequiredError, HostKeyError } from '../login-errors.ts';

type Failure = LocalizedText & { code: string; status: number } & Partial<
    Pick<FileProblem, 'wanted' | 'fingerprint' | 'known_fingerprint'>
  >;

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
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FileError) return fileFailure(error);
  if (error instanceof SessionEndedError)
    return { code: `target.${error.code}`, status: 410, ...appFailures[error.code] };
  if (error instanceof TargetError) return targetFailure(error.code);
  if (error instanceof AppError) return { code: error.code, ...errorCatalogue[error.code] };
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

function hostKeyFailure({ fingerprint, known }: HostKeyError): Failure {
  if (known === null) return { code: 'files.host-key-unknown', ...fileFailures['host-key-unknown'], fingerprint };
  return { ...targetFailure('host-key-changed'), fingerprint, known_fingerprint: known };
}

export function sendProblem(failure: Failure, request: IncomingMessage, response: ServerResponse): void {
  const { code, status } = failure;
  response.setHeader('vary', 'Accept-Language');
  sendJson(
    response,
    status,
    problemOf(failure, request.headers['accept-language']) satisfies FileProblem,
    'application/problem+json',
  );
  // What is left of the body is not read: it may be long.
  if (!request.complete && code !== 'request.invalid') response.once('finish', () => request.destroy());
}

export function problemOf({ zh, en, code, status, ...more }: Failure, acceptLanguage: string | undefined): FileProblem {
  return {
    type: `urn:tongtu:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: detailIn({ zh, en }, acceptLanguage),
    code,
    ...more,
    request_id: randomUUID(),
  };
}

/** Chinese, unless the client asks for English first. */
export function detailIn(text: LocalizedText, acceptLanguage: string | undefined): string {
  return /^\s*en\b/i.test(acceptLanguage ?? '') ? text.en : text.zh;
}

export function sendJson(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
