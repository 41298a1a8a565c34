import { ApiError } from '../../api/index.ts';

/** True when it was the person who stopped it: nothing that they need to be told. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'cancelled';
}
