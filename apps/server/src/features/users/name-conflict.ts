import { fieldError } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import { isServiceName } from './service-names.ts';

/** Throws `user.name-reserved` at the field. */
export function assertNotReserved(username: string): void {
  if (isServiceName(username)) throw fieldError('username', 'user.name-reserved');
}

/** What the caller is answered when a name could not be stored: the error at the field, or the given error itself. */
export function nameConflict(cause: unknown): unknown {
  if (isUniqueViolation(cause, 'user_account_username_key'))
    return fieldError('username', 'user.name-taken', { cause });
  if (isUniqueViolation(cause, 'user_account_username_skeleton_key'))
    return fieldError('username', 'user.name-look-alike', { cause });
  return cause;
}
