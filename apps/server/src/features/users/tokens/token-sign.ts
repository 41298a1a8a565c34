import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/driver.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { claimTokenSign, lockOwnerOfSignForKeyShare, insertTokenSign } from './token-sign-store.ts';

const BINDING_TOKEN = /^tb_([\w-]{22})\.([\w-]{43})$/;

export type IssuedTokenSign = { tokenId: string; sign: string; expiresAt: Date };

/** A proof for binding one device within 10 minutes; as text for an agent: `tb_<tokenId>.<sign>`. */
export async function issueTokenSign(db: Db, userId: number): Promise<IssuedTokenSign> {
  const tokenId = randomBytes(16).toString('base64url');
  const sign = randomBytes(32).toString('base64url');
  const expiresAt = await insertTokenSign(db, { tokenId, userId, signHash: hashSecret(sign) });
  return { tokenId, sign, expiresAt };
}

/**
 * Uses up a `tb_…` text: the account it binds to, held, or undefined when it is unknown, expired or was used. To be run in
 * the transaction that binds the device.
 */
export async function useTokenSign(tx: Db, token: string): Promise<number | undefined> {
  const match = BINDING_TOKEN.exec(token);
  if (!match) return undefined;
  const [, tokenId = '', sign = ''] = match;
  // Before the sign, as whoever deletes the account: the device is going to refer to it.
  await lockOwnerOfSignForKeyShare(tx, tokenId);
  return await claimTokenSign(tx, tokenId, hashSecret(sign));
}
