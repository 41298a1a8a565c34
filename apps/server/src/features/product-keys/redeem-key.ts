import { AppError, readKey } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { clearFailures, countAttempt, undoFailure } from '../../http/limits/failed-attempts.ts';
import type { HttpCall } from '../../http/session.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { allowAttempt, captchaRefusal, resetFailures, undoAttempt } from '../captcha/index.ts';
import { assertFitsDevice, grantPlan, termsOf } from '../plans/index.ts';
import type { KeySecrets } from './key-secret.ts';
import { lockKeyForUpdate, setRedeemed } from './key-store.ts';

const LOCK_MINUTES = 60;

export type RedeemDeps = { db: Db; secrets: KeySecrets };
export type Redemption = {
  userId: number;
  typed: string;
  deviceId: number | null;
  ticket: string | undefined;
  req: HttpCall['req'];
};

/**
 * Redeems a key for a plan. Returns the id of its order. After 5 unknown keys within 15 minutes it takes a captcha, after 10
 * the account waits for an hour. Only unknown keys count: one that was used before, or that does not fit the device, is no
 * guess. Throws the errors that the contract lists.
 */
export async function redeemKey({ db, secrets }: RedeemDeps, redemption: Redemption): Promise<number> {
  const { userId, typed } = redemption;
  const failureKey = `redeem:${userId}`;
  const attempt = { purpose: 'redeem', target: String(userId), ...redemption } as const;
  await countAttempt(db, failureKey, 'product-key.locked', LOCK_MINUTES); // first: a locked account's ticket stays unused
  if (!(await allowAttempt(db, attempt))) {
    await undoFailure(db, failureKey);
    throw captchaRefusal(redemption);
  }
  const letters = readKey(typed);
  if (letters === undefined) throw new AppError('product-key.unknown');
  try {
    const keyHash = secrets.hash(letters);
    return await db.transaction().execute(async (tx) => {
      const orderId = await redeemLocked(tx, { ...redemption, keyHash });
      await clearFailures(tx, failureKey);
      await resetFailures(tx, attempt);
      return orderId;
    });
  } catch (error) {
    const isGuess = error instanceof AppError && error.code === 'product-key.unknown';
    if (!isGuess) {
      await undoFailure(db, failureKey);
      await undoAttempt(db, attempt);
    }
    throw error;
  }
}

async function redeemLocked(
  tx: Db,
  { userId, deviceId, keyHash, req }: Redemption & { keyHash: Buffer },
): Promise<number> {
  await lockUserForNoKeyUpdate(tx, userId);
  const key = await lockKeyForUpdate(tx, keyHash);
  if (key === undefined) throw new AppError('product-key.unknown');
  const { status } = key;
  if (status === 'redeemed' || status === 'void' || status === 'expired') throw new AppError(`product-key.${status}`);
  const terms = termsOf(key);
  if (deviceId !== null) await assertFitsDevice(tx, { userId, deviceId, terms });
  const { orderId, planId } = await grantPlan(tx, { userId, kind: 'key', terms, deviceId });
  await recordAuditEntry(
    tx,
    { userId, ip: req.ip },
    {
      action: 'product-key.redeemed',
      object: { type: 'product-key', id: key.id, name: key.hint },
      before: { status },
      after: { status: 'redeemed', order_id: orderId, plan_id: planId },
    },
  );
  // Last, because redemptions of keys of the same place wait for its counts.
  await setRedeemed(tx, key.id, { userId, orderId });
  return orderId;
}
