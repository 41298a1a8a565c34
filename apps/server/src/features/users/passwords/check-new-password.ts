import { AppError, fieldMessages, passwordWeakness } from '@tongtu/contract';
import type { UserRow } from '../user-store.ts';

/** Throws `request.invalid` at the field for a weak password, such as one that contains the user's name. */
export function checkNewPassword(user: Pick<UserRow, 'username' | 'email' | 'phoneNumber'>, password: string): void {
  const weakness = passwordWeakness(password, [user.username, user.email, user.phoneNumber ?? '']);
  if (weakness === undefined) return;
  throw new AppError('request.invalid', { fields: { new_password: [fieldMessages[weakness]] } });
}
