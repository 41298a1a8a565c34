import { createHmac, randomInt } from 'node:crypto';
import type { Db } from '../../../db/driver.ts';
import { claimRecoveryHash, replaceRecoveryHashes } from './recovery-code-store.ts';

const COUNT = 10;
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'; // none that are taken for another
const GROUPS = 2;
const GROUP_LENGTH = 5;

/** Gives the account codes in place of all that it had. They are told this once: the database has their HMAC. */
export async function renewRecoveryCodes(tx: Db, recoveryKey: Buffer, userId: number): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(createCode());
  const hashes = [...codes].map((code) => hashCode(recoveryKey, userId, code));
  await replaceRecoveryHashes(tx, userId, hashes);
  return [...codes];
}

/** Uses a code up, however its letters and dashes were typed. Returns whether it was right. */
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

// 49 bits could be tried out against a plain hash in a stolen table; the key is not in the table.
function hashCode(recoveryKey: Buffer, userId: number, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHmac('sha256', recoveryKey).update(`${userId}:${letters}`).digest();
}
