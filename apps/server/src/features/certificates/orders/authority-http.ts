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

/** A problem document (RFC 7807) as the authority sends it, or as it stands in an order and its challenges. */
export const AuthorityProblem = z.object({ type: z.string(), detail: z.string().default('') });
export type AuthorityProblem = z.infer<typeof AuthorityProblem>;

/** What the authority's refusal means to the name's owner. */
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
 * Makes the library's HTTP client tell refusals by their type. As it comes it repeats a refused call by itself for as
 * long as the authority says, which may be an hour, and keeps nothing of a refusal but its text. The client is one for
 * the whole process; doing this twice changes nothing.
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
      if (refusal.success && refusal.data.type === BAD_NONCE) return response; // the library tries again with a fresh one
      if (refusal.success) throw toCertificateError(refusal.data, readRetryAfterMs(response.headers['retry-after']));
      const isUnavailable = response.status >= 500 || response.status === 404;
      throw new CertificateError(
        isUnavailable ? 'authority-unreachable' : 'authority-refused',
        `HTTP ${response.status}`,
      );
    },
    (error: unknown) => {
      const words = error instanceof Error ? error.message : String(error);
      throw new CertificateError('authority-unreachable', words, { cause: error });
    },
  );
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
