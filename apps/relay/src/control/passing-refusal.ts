import { AppError, errorCatalogue } from '@tongtu/contract';

const TOO_MANY = 429;
const SERVER_FAILED = 500;

/** Whether a call to the server failed for a temporary reason. An internal error counts as temporary. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  const { status } = errorCatalogue[error.code];
  return status === TOO_MANY || status >= SERVER_FAILED;
}
