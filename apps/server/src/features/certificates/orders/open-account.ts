import { unlessAborted } from '@tongtu/base';
import { Client, crypto } from 'acme-client';
import type { Db } from '../../../db/driver.ts';
import { seal, unseal } from '../../../db/sealing.ts';
import { findOrInsertAccount, updateAccount } from './account-store.ts';
import type { AcmeConfig } from '../acme-config.ts';
import { CertificateError } from '../certificate-error.ts';
import { accountPurpose } from '../sealing-purposes.ts';

export type AccountDeps = { db: Db; sealingKey: Buffer; acme: AcmeConfig };

/**
 * Calls `use` with an ACME client of this installation's account. Creates the account when there is none, and again when
 * the authority no longer knows it. All server processes share one account. Throws CertificateError.
 */
export async function withAccount<T>(
  deps: AccountDeps,
  use: (client: Client) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await use(await unlessAborted(openAccount(deps), signal));
  } catch (error) {
    if (!(error instanceof CertificateError) || error.problem !== 'account-refused') throw error;
    await updateAccount(deps.db, deps.acme.directoryUrl, { accountUrl: null, email: '' });
    return await use(await unlessAborted(openAccount(deps), signal));
  }
}

async function openAccount({ db, sealingKey, acme }: AccountDeps): Promise<Client> {
  const { directoryUrl, email, externalAccount } = acme;
  const purpose = accountPurpose(directoryUrl);
  const freshKey = (await crypto.createPrivateEcdsaKey('P-256')).toString();
  const account = await findOrInsertAccount(db, directoryUrl, seal(sealingKey, freshKey, purpose));
  const client = new Client({
    directoryUrl,
    accountKey: unseal(sealingKey, account.keySealed, purpose),
    ...(account.accountUrl === null ? {} : { accountUrl: account.accountUrl }),
    ...(externalAccount === undefined ? {} : { externalAccountBinding: externalAccount }),
  });
  if (account.accountUrl !== null && account.email === email) return client;
  await client.createAccount({
    termsOfServiceAgreed: true, // ACME=on says so, see the description of the variable
    contact: email === '' ? [] : [`mailto:${email}`],
  });
  await updateAccount(db, directoryUrl, { accountUrl: client.getAccountUrl(), email });
  return client;
}
