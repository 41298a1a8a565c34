import type { AlgorithmMismatch, AppFailure } from '@tongtu/contract';

/** There is no connection to the target (any more). */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: AppFailure;
  constructor(code: AppFailure, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** An SSH server supports none of the algorithms that the gateway accepts. */
export class NoCommonAlgorithmError extends TargetError {
  readonly mismatch: AlgorithmMismatch;
  constructor(mismatch: AlgorithmMismatch, options?: ErrorOptions) {
    super('no-common-algorithm', options);
    this.mismatch = mismatch;
  }
}
