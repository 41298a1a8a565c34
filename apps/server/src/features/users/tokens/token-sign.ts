import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/driver.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { claimTokenSign, lockOwnerForKeyShare, insertTokenSign } from './token-sign-store.ts';

const BINDING_TOKEN = /^tb_([\w-]{22})\.([\w-]{43})$/;

export type IssuedTokenSign = { tokenId: string; sign: string; expiresAt: Date };

/** Creates a binding proof for one device, valid for 10 minutes. An agent shows it as `tb_<tokenId>.<sign>`. */
export async function issueTokenSign(db: Db, userId: number): Promise<IssuedTokenSign> {
  const tokenId = randomBytes(16).toString('base64url');
  const sign = randomBytes(32).toString('base64url');
  const expiresAt = await insertTokenSign(db, { tokenId, userId, signHash: hashSecret(sign) });
  return { tokenId, sign, expiresAt };
}

/**
 * Uses a binding proof (`tb_…`) and returns its user, locked for key share; undefined when the proof is unknown, expired or
 * used. Call it in the transaction that binds the device.
 */
export async function useTokenSign(tx: Db, token: string): Promise<number | undefined> {
  const match = BINDING_TOKEN.exec(token);
  if (!match) return undefined;
  const [, tokenId = '', sign = ''] = match;
  // The device will refer to the account. Account first, then sign, is also the lock order of the account's deletion.
  await lockOwnerForKeyShare(tx, tokenId);
  return await claimTokenSign(tx, tokenId, hashSecret(sign));
}
