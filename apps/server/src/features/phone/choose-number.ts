import { AppError, fieldMessages, type SmsPurpose } from '@tongtu/contract';
import { parsePhone } from '../codes/index.ts';
import type { Db } from '../../db/driver.ts';
import { findPhoneOf } from './phone-store.ts';

export type ChooseNumberDeps = { db: Db; phoneRegions: readonly string[] };

/** Which purposes are for people who are logged in; those of `own` go to the account's own number. */
const needs = {
  login: 'nobody',
  reset: 'nobody',
  bind: 'account',
  rebind: 'account',
  rebind_old: 'own',
  confirm: 'own',
} as const satisfies Record<SmsPurpose, 'nobody' | 'account' | 'own'>;

/**
 * Which number a code goes to (E.164), and whether it is the caller's own. Throws `session.required`, `phone.not-bound`, `phone.invalid`, or
 * `request.invalid` when none was given. Whether an account has a given number makes no difference.
 */
export async function chooseNumber(
  deps: ChooseNumberDeps,
  { phone, purpose, userId }: { phone: string | undefined; purpose: SmsPurpose; userId: number | undefined },
): Promise<{ phone: string; isOwner: boolean }> {
  const need = needs[purpose];
  if (need !== 'nobody' && userId === undefined) throw new AppError('session.required');
  const own = userId === undefined ? undefined : await findPhoneOf(deps.db, userId);
  if (need === 'own') {
    if (own === undefined) throw new AppError('phone.not-bound');
    return { phone: own, isOwner: true };
  }
  if (phone === undefined)
    throw new AppError('request.invalid', { fields: { phone: [fieldMessages['phone.missing']] } });
  const chosen = parsePhone(phone, deps.phoneRegions);
  return { phone: chosen, isOwner: chosen === own };
}
