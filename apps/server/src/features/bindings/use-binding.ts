import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { claimBinding, lockConfirmerForKeyShare } from './binding-store.ts';

/** How an agent whose request was confirmed names it when it enrols. */
const CONFIRMED_TOKEN = /^tc_([\w-]{22})$/;

/**
 * Uses up a `tc_…` text: the account that confirmed the request, or undefined when nobody has, it was used or has expired,
 * or belongs to another key. To be run in the transaction that binds the device.
 */
export async function useBinding(tx: Db, token: string, publicKey: string): Promise<number | undefined> {
  const code = CONFIRMED_TOKEN.exec(token)?.[1];
  if (code === undefined) return undefined;
  await lockConfirmerForKeyShare(tx, hashSecret(code));
  return await claimBinding(tx, hashSecret(code), Buffer.from(publicKey, 'base64url'));
}
