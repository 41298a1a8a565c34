import { AppError, errorCatalogue } from '@tongtu/contract';

const TOO_MANY = 429;
const SERVER_FAILED = 500;

/** Whether what was asked of the server failed for a reason that may be over in a moment. A bug of ours is one, too. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  const { status } = errorCatalogue[error.code];
  return status === TOO_MANY || status >= SERVER_FAILED;
}
