import { randomBytes } from 'node:crypto';
import { AppError, type EnrolmentKey, MAX_ENROLMENT_KEYS } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { assertConfirmed, type Session } from '../../http/session.ts';
import { assertNotEnded } from '../sessions/index.ts';
import {
  claimEnrolmentKey,
  findKeyByHash,
  insertEnrolmentKey,
  lockKeyOwnerForKeyShare,
  type EnrolmentKeyRow,
  type NewEnrolmentKey,
} from './enrolment-key-store.ts';

const KEY = /^te_[\w-]{43}$/;
const KEY_BYTES = 32;
const HINT_LENGTH = 9;
/** The console makes one for an hour for each device that is added. */
const MAX_PLAIN_HOURS = 24;
/** How many used and expired keys the list shows. */
const MAX_ENDED = 20;

/**
 * Creates a key and returns it; only its hash is stored. One for several devices, or for more than a day, needs a
 * confirmation. Throws `session.confirm-required`, `enrolment-key.limit-reached`, `session.required`.
 */
export async function createEnrolmentKey(
  db: Db,
  session: Session,
  input: Omit<NewEnrolmentKey, 'userId' | 'keyHash' | 'hint'>,
): Promise<{ key: string; row: EnrolmentKeyRow }> {
  if (input.isReusable || input.validHours > MAX_PLAIN_HOURS) assertConfirmed(session);
  const key = `te_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const values = { ...input, userId: session.userId, keyHash: hashSecret(key), hint: key.slice(0, HINT_LENGTH) };
  const limits = { maxActive: MAX_ENROLMENT_KEYS, maxEnded: MAX_ENDED };
  const row = await db.transaction().execute(async (tx) => {
    const inserted = await insertEnrolmentKey(tx, values, limits);
    await assertNotEnded(tx, session);
    return inserted;
  });
  if (!row) throw new AppError('enrolment-key.limit-reached');
  return { key, row };
}

/**
 * Uses a key (`te_…`) and returns its owner, locked for key share, and the name that the device gets, empty where the key has
 * none. Undefined when the key is unknown, used or expired. Call it in the transaction that enrols the device.
 */
export async function useEnrolmentKey(
  tx: Db,
  token: string,
): Promise<{ userId: number; deviceName: string } | undefined> {
  if (!KEY.test(token)) return undefined;
  const keyHash = hashSecret(token);
  // The device will refer to the account. Account first, then key, is also the lock order of the account's deletion.
  await lockKeyOwnerForKeyShare(tx, keyHash);
  return await claimEnrolmentKey(tx, keyHash);
}

/** Whose key this is, whether it still enrols or not. Undefined when it is unknown or was deleted. */
export async function findKeyState(
  db: Db,
  token: string,
): Promise<{ userId: number; state: EnrolmentKey['state'] } | undefined> {
  return KEY.test(token) ? await findKeyByHash(db, hashSecret(token)) : undefined;
}
