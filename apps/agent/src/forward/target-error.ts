import type { OpenStatus } from '@tongtu/tunnel';

export type TargetFailure = Exclude<OpenStatus, 'connected'> | 'unreachable' | 'credentialAddress';

/** Why a LAN service could not be reached, as a code that relay and console know. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly failure: TargetFailure;
  constructor(failure: TargetFailure, options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
  }
}

const failuresByErrno: Record<string, TargetFailure> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'notFound',
  EAI_AGAIN: 'notFound',
};

/** Converts the error of a lookup or a socket. */
export function targetErrorOf(error: unknown): TargetError {
  if (error instanceof TargetError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new TargetError(failuresByErrno[code] ?? 'refused', { cause: error });
}

/** The status on the wire has fewer codes: `unreachable` becomes `timeout`. */
export function openStatusOf(failure: TargetFailure): OpenStatus {
  if (failure === 'credentialAddress') return 'notAllowed';
  return failure === 'unreachable' ? 'timeout' : failure;
}
