import { createHmac, randomInt } from 'node:crypto';
import type { Db } from '../../../db/driver.ts';
import { claimRecoveryHash, replaceRecoveryHashes } from './recovery-code-store.ts';

const COUNT = 10;
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'; // without letters that look alike
const GROUPS = 2;
const GROUP_LENGTH = 5;

/** Replaces the account's codes. They are returned only here: the database stores their HMAC. */
export async function renewRecoveryCodes(tx: Db, recoveryKey: Buffer, userId: number): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(createCode());
  const hashes = [...codes].map((code) => hashCode(recoveryKey, userId, code));
  await replaceRecoveryHashes(tx, userId, hashes);
  return [...codes];
}

/** Uses a code, in upper or lower case, with or without dashes. Returns whether it was right. */
export async function claimRecoveryCode(
  tx: Db,
  recoveryKey: Buffer,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  return await claimRecoveryHash(tx, userId, hashCode(recoveryKey, userId, code));
}

function createCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

// A code has 49 bits: few enough to search for a plain hash from a stolen table. The HMAC's key is not in the database.
function hashCode(recoveryKey: Buffer, userId: number, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHmac('sha256', recoveryKey).update(`${userId}:${letters}`).digest();
}
