import type { Problem } from '@tongtu/contract';

export type FieldErrors = NonNullable<Problem['errors']>;

/** Why a call failed. */
export type Failure =
  | {
      type: 'problem';
      status: number;
      code: string;
      detail: string;
      fields: FieldErrors;
      requestId: string;
      retryAfterSeconds: number | undefined;
    }
  | { type: 'network' }
  /** Files of the console did not arrive: no network, or a newer version has replaced them. */
  | { type: 'not-loaded' }
  | { type: 'timeout' }
  | { type: 'cancelled' }
  | { type: 'unreadable'; status: number };

/** The only thing a call throws. */
export class ApiError extends Error {
  declare readonly failure: Failure; // set below: written as a field, it would need a helper in older browsers

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.type === 'problem' ? failure.code : failure.type, options);
    this.name = 'ApiError';
    this.failure = failure;
  }

  /** The start page and the console are two builds, each with a copy of this class. Captchas pass errors between them. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ApiError' && 'failure' in value;
  }
}

/** The error code of a refused call, or undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError && error.failure.type === 'problem' ? error.failure.code : undefined;
}

/** Messages for single fields, when the server refused the input field by field. */
export function fieldErrors(error: unknown): FieldErrors {
  return error instanceof ApiError && error.failure.type === 'problem' ? error.failure.fields : {};
}

/** How long the server asks the client to wait, or undefined when it does not say. */
export function retryAfterSeconds(error: unknown): number | undefined {
  return error instanceof ApiError && error.failure.type === 'problem' ? error.failure.retryAfterSeconds : undefined;
}
