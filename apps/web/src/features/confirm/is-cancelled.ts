import { ApiError } from '../../api/index.ts';

/** True when the user cancelled the action, so that it needs no message. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'cancelled';
}
