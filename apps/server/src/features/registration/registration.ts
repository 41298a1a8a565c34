import { AppError, type Registration, type RegistrationSettings } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findRegistration } from './registration-store.ts';

export type RegistrationMethods = RegistrationSettings['methods'];

/**
 * Who may create an account. Until staff has set it: everybody, if the operator has set up phone codes or WeChat, whose
 * first login creates an account (specification §7); otherwise only invited people, who have no other way to log in.
 */
export async function readRegistration(db: Db, methods: RegistrationMethods): Promise<Registration> {
  return (await findRegistration(db)) ?? (methods.length > 0 ? 'open' : 'invitation');
}

/**
 * For somebody with a phone number or WeChat that no account has. Throws `registration.by-invitation` or
 * `registration.closed`.
 */
export async function assertMayRegister(db: Db): Promise<void> {
  // Somebody has such a number or WeChat, so there is a method.
  switch (await readRegistration(db, ['phone'])) {
    case 'open':
      return;
    case 'invitation':
      throw new AppError('registration.by-invitation');
    case 'closed':
      throw new AppError('registration.closed');
  }
}

/** For somebody with an invitation of a mapping's owner. Staff invite at all times. Throws `registration.closed`. */
export async function assertOwnersMayInvite(db: Db): Promise<void> {
  if ((await findRegistration(db)) === 'closed') throw new AppError('registration.closed');
}
