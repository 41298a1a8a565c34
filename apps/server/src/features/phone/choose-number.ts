import { AppError, fieldMessages, type SmsPurpose } from '@tongtu/contract';
import { parsePhone } from '../codes/index.ts';
import type { Db } from '../../db/driver.ts';
import { findPhoneOf } from './phone-store.ts';

export type ChooseNumberDeps = { db: Db; phoneRegions: readonly string[] };

/** Who may request a code: anybody, any account, or only an account for its own number. */
const recipients = {
  login: 'anybody',
  reset: 'anybody',
  bind: 'account',
  rebind: 'account',
  rebind_old: 'own',
  confirm: 'own',
} as const satisfies Record<SmsPurpose, 'anybody' | 'account' | 'own'>;

/**
 * Returns the number that a code goes to (E.164), and whether it is the caller's own. Throws `session.required`,
 * `phone.not-bound`, `phone.invalid`, or `request.invalid` without a number. It does not reveal whether an account has it.
 */
export async function chooseNumber(
  deps: ChooseNumberDeps,
  { phone, purpose, userId }: { phone: string | undefined; purpose: SmsPurpose; userId: number | undefined },
): Promise<{ phone: string; isOwner: boolean }> {
  const recipient = recipients[purpose];
  if (recipient !== 'anybody' && userId === undefined) throw new AppError('session.required');
  const own = userId === undefined ? undefined : await findPhoneOf(deps.db, userId);
  if (recipient === 'own') {
    if (own === undefined) throw new AppError('phone.not-bound');
    return { phone: own, isOwner: true };
  }
  if (phone === undefined)
    throw new AppError('request.invalid', { fields: { phone: [fieldMessages['phone.missing']] } });
  const chosen = parsePhone(phone, deps.phoneRegions);
  return { phone: chosen, isOwner: chosen === own };
}
