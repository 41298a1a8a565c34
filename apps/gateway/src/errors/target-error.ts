import type { AppFailure } from '@tongtu/contract';

/** There is no connection to the target (any more). */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: AppFailure;
  constructor(code: AppFailure, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
