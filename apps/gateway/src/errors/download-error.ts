import type { DownloadFailure } from '@tongtu/contract';

/** A call that aria2 has refused, or that the gateway did not pass on. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly code: DownloadFailure;
  /** What aria2 says about it, in English; empty: nothing. */
  readonly said: string;
  constructor(code: DownloadFailure, said = '', options?: ErrorOptions) {
    super(said === '' ? code : `${code}: ${said}`, options);
    this.code = code;
    this.said = said;
  }
}
