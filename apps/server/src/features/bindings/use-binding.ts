import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { claimBinding, lockConfirmerForKeyShare } from './binding-store.ts';

/** The token with which an agent enrols after its request was confirmed. */
const CONFIRMED_TOKEN = /^tc_([\w-]{22})$/;

/**
 * Uses a `tc_…` token and returns the user who confirmed the request; undefined when it is pending, used, expired or of
 * another key. Call it in the transaction that binds the device.
 */
export async function useBinding(tx: Db, token: string, publicKey: string): Promise<number | undefined> {
  const code = CONFIRMED_TOKEN.exec(token)?.[1];
  if (code === undefined) return undefined;
  await lockConfirmerForKeyShare(tx, hashSecret(code));
  return await claimBinding(tx, hashSecret(code), Buffer.from(publicKey, 'base64url'));
}
