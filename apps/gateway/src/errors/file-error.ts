import type { FileFailure } from '@tongtu/contract';

/** What the target answered to a call. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileFailure;
  constructor(code: FileFailure, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
