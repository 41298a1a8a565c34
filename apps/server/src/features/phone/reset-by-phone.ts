import { AppError } from '@tongtu/contract';
import { restoreSmsCode, type UseCodeDeps, useSmsCode } from '../codes/index.ts';
import { resetPassword } from '../users/index.ts';
import { findUserByPhone } from './phone-store.ts';

/**
 * Sets the password of the account with this number (E.164), and ends its sessions and its lock-out. Throws `code.wrong`,
 * `code.expired`; after a right code also `phone.unknown`, or `request.invalid` for a password that is easily guessed.
 * After `request.invalid` the code stays valid for another password.
 */
export async function resetByPhone(
  deps: UseCodeDeps,
  {
    phone,
    newPassword,
    ...given
  }: { phone: string; code: string; browserHash: Buffer | undefined; newPassword: string },
): Promise<void> {
  const used = { phone, purpose: 'reset', ...given } as const;
  await useSmsCode(deps, used);
  const userId = await findUserByPhone(deps.db, phone);
  if (userId === undefined) throw new AppError('phone.unknown');
  try {
    await resetPassword(deps.db, userId, newPassword);
  } catch (error) {
    if (error instanceof AppError) await restoreSmsCode(deps, used);
    throw error;
  }
}
