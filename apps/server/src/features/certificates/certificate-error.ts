import type { CertificateProblem } from '@tongtu/contract';

/** An expected reason why a certificate could not be issued. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly problem: CertificateProblem;
  /** The authority's Retry-After. */
  readonly retryAfterMs: number | undefined;

  /** `detail` is for the operator: the message of the authority, the DNS provider or the network. */
  constructor(problem: CertificateProblem, detail: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(detail, options);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs;
  }
}
