import type { CertificateProblem } from '@tongtu/contract';
import { axios } from 'acme-client';
import { z } from 'zod';
import { CertificateError } from '../certificate-error.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const ERROR_PREFIX = 'urn:ietf:params:acme:error:';
const BAD_NONCE = `${ERROR_PREFIX}badNonce`;

const problems: Record<string, CertificateProblem> = {
  connection: 'connection-failed',
  dns: 'dns-lookup-failed',
  unauthorized: 'answer-wrong',
  incorrectResponse: 'answer-wrong',
  tls: 'answer-wrong',
  caa: 'caa-forbids',
  rateLimited: 'rate-limited',
  rejectedIdentifier: 'name-refused',
  unsupportedIdentifier: 'name-refused',
  accountDoesNotExist: 'account-refused',
  externalAccountRequired: 'account-refused',
  userActionRequired: 'account-refused',
  invalidContact: 'account-refused',
  unsupportedContact: 'account-refused',
  serverInternal: 'authority-unreachable',
};

/** A problem document (RFC 7807), from an error reply or from the `error` field of an order or challenge. */
export const AuthorityProblem = z.object({ type: z.string(), detail: z.string().default('') });
export type AuthorityProblem = z.infer<typeof AuthorityProblem>;

/** Maps the authority's problem document to our problem code. */
export function toCertificateError(refusal: AuthorityProblem, retryAfterMs?: number): CertificateError {
  const word = refusal.type.startsWith(ERROR_PREFIX) ? refusal.type.slice(ERROR_PREFIX.length) : '';
  const problem = problems[word] ?? 'authority-refused';
  return new CertificateError(
    problem,
    `${word}: ${refusal.detail}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );
}

/**
 * Makes the library's HTTP client throw a CertificateError for each error reply. By default the library retries after
 * the time in Retry-After, which may be an hour, and drops the problem's type. The client is global to the process;
 * calling this again changes nothing.
 */
export function configureAuthorityHttp(userAgent: string): void {
  Object.assign(axios.defaults, { timeout: TIMEOUT_MS, maxContentLength: MAX_ANSWER_BYTES });
  axios.defaults.headers.common['User-Agent'] = userAgent;
  axios.interceptors.request.clear();
  axios.interceptors.response.clear();
  axios.interceptors.response.use(
    (response) => {
      if (response.status < 400) return response;
      const refusal = AuthorityProblem.safeParse(response.data);
      if (refusal.success && refusal.data.type === BAD_NONCE) return response; // the library retries with a new nonce
      if (refusal.success) throw toCertificateError(refusal.data, readRetryAfterMs(response.headers['retry-after']));
      const isUnavailable = response.status >= 500 || response.status === 404;
      throw new CertificateError(
        isUnavailable ? 'authority-unreachable' : 'authority-refused',
        `HTTP ${response.status}`,
      );
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new CertificateError('authority-unreachable', message, { cause: error });
    },
  );
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
