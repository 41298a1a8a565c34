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

/** Gives the account its first token. */
export async function createAccountToken(db: Db, sealingKey: Buffer, userId: number): Promise<void> {
  const token = `tt_${randomBytes(32).toString('base64url')}`;
  const tokenSealed = seal(sealingKey, token, sealingPurpose(userId));
  await insertAccountToken(db, { userId, tokenHash: hashSecret(token), tokenSealed });
}

/**
 * Gives the account another token. The one before it enrols devices for 24 hours more, and none that is older: who
 * rotates twice is rid of a token that leaked. Devices that are enrolled keep their own keys and notice nothing. To be
 * run in a transaction.
 */
export async function rotateAccountToken(tx: Db, sealingKey: Buffer, userId: number): Promise<void> {
  await retireAccountToken(tx, userId);
  await createAccountToken(tx, sealingKey, userId);
}

/** The account's token, for its owner's eyes. */
export async function readAccountToken(db: Db, sealingKey: Buffer, userId: number): Promise<string> {
  const sealed = must(await findSealedToken(db, userId), `account token of user ${userId}`);
  return unseal(sealingKey, sealed, sealingPurpose(userId));
}

/** Whose account token this is; undefined for anything that is not one (any more). */
export async function findTokenOwner(db: Db, token: string): Promise<number | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return await findOwnerByTokenHash(db, hashSecret(token));
}

function sealingPurpose(userId: number): string {
  return `account-token:${userId}`;
}
