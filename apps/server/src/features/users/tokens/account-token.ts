import { randomBytes } from 'node:crypto';
import { must } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import {
  findOwnerByTokenHash,
  findSealedToken,
  insertAccountToken,
  retireAccountToken,
} from './account-token-store.ts';
import { seal, unseal } from '../../../db/sealing.ts';
import { hashSecret } from '../../../hash-secret.ts';

const TOKEN = /^tt_[\w-]{43}$/;

/** Creates the account's token. */
export async function createAccountToken(db: Db, sealingKey: Buffer, userId: number): Promise<void> {
  const token = `tt_${randomBytes(32).toString('base64url')}`;
  const tokenSealed = seal(sealingKey, token, sealingPurpose(userId));
  await insertAccountToken(db, { userId, tokenHash: hashSecret(token), tokenSealed });
}

/**
 * Gives the account another token. The previous one enrols devices for another 24 hours; a second rotation ends it at once.
 * Enrolled devices have keys of their own and are not affected. Call it in a transaction.
 */
export async function rotateAccountToken(tx: Db, sealingKey: Buffer, userId: number): Promise<void> {
  await retireAccountToken(tx, userId);
  await createAccountToken(tx, sealingKey, userId);
}

/** The account's token in plain text, for its owner. */
export async function readAccountToken(db: Db, sealingKey: Buffer, userId: number): Promise<string> {
  const sealed = must(await findSealedToken(db, userId), `account token of user ${userId}`);
  return unseal(sealingKey, sealed, sealingPurpose(userId));
}

/** The user whose account token this is; undefined for an unknown, expired or malformed one. */
export async function findTokenOwner(db: Db, token: string): Promise<number | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return await findOwnerByTokenHash(db, hashSecret(token));
}

function sealingPurpose(userId: number): string {
  return `account-token:${userId}`;
}
