import { AppError } from '@tongtu/contract';
import { type UseCodeDeps, useSmsCode } from '../codes/index.ts';
import { resetPassword } from '../users/index.ts';
import { findUserByPhone } from './phone-store.ts';

/**
 * Sets the password of the account with this number (E.164), ends its sessions and its lock-out. Throws `code.wrong`,
 * `code.expired`, and, only to who holds the number, `phone.unknown`.
 */
export async function resetByPhone(
  deps: UseCodeDeps,
  {
    phone,
    newPassword,
    ...given
  }: { phone: string; code: string; browserHash: Buffer | undefined; newPassword: string },
): Promise<void> {
  await useSmsCode(deps, { phone, purpose: 'reset', ...given });
  const userId = await findUserByPhone(deps.db, phone);
  if (userId === undefined) throw new AppError('phone.unknown');
  await resetPassword(deps.db, userId, newPassword);
}
