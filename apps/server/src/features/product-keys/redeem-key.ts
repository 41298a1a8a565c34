import { AppError, readKey } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { checkUnlocked, clearFailures, countAttempt } from '../../http/limits/failed-attempts.ts';
import type { HttpCall } from '../../http/session.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { allowLockedAttempt, captchaRefusal, countFailure, resetTarget } from '../captcha/index.ts';
import { assertFitsDevice, grantPlan, type PlanTerms, termsOf } from '../plans/index.ts';
import type { KeySecrets } from './key-secret.ts';
import { lockKeyForUpdate, type RedeemableKey, setRedeemed } from './key-store.ts';

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
  const letters = readKey(typed);
  const orderId = await db.transaction().execute(async (tx) => {
    // Tries of one account run one after the other, so each sees what the ones before it have counted.
    await lockUserForNoKeyUpdate(tx, userId);
    await checkUnlocked(tx, failureKey, 'product-key.locked'); // first: a locked account's ticket stays unused
    if (!(await allowLockedAttempt(tx, attempt))) throw captchaRefusal(redemption);
    const key = letters === undefined ? undefined : await lockKeyForUpdate(tx, secrets.hash(letters));
    if (key === undefined) {
      await countAttempt(tx, failureKey, 'product-key.locked', LOCK_MINUTES); // writes nothing but counts and the ticket
      await countFailure(tx, attempt);
      return undefined; // commits the counts, which an error would roll back
    }
    const id = await redeemLocked(tx, redemption, key);
    await clearFailures(tx, failureKey);
    await resetTarget(tx, attempt);
    return id;
  });
  if (orderId === undefined) throw new AppError('product-key.unknown');
  return orderId;
}

async function redeemLocked(tx: Db, { userId, deviceId, req }: Redemption, key: RedeemableKey): Promise<number> {
  const { status } = key;
  if (status === 'redeemed' && key.redeemedBy === userId) throw redeemedBefore(key);
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

/** For a user who did not get the first reply, or tries again. */
function redeemedBefore({ productName, days }: PlanTerms): AppError {
  return new AppError('product-key.redeemed-before', {
    detail: {
      zh: `您已兑换过这个兑换码，得到了${productName} ${days} 天，可在“我的订单”里查看`,
      en: `You have redeemed this code already. It gave you ${days} days of ${productName}; see your orders.`,
    },
  });
}
