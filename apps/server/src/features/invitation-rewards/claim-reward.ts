import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { moveInLedger } from '../ledger/index.ts';
import { addDaysToDevice, ownsDevice } from '../plans/index.ts';
import { makeRewardKey } from '../product-keys/index.ts';
import { findReward, isRefunded, markClaimed, type RewardRow } from './reward-store.ts';
import { standardTerms } from './standard-product.ts';

export type ClaimDeps = { db: Db; sealingKey: Buffer };
export type Claim = { userId: number; rewardId: number } & (
  | { as: 'days'; deviceId: number | undefined }
  | { as: 'key' }
);

/**
 * Gives a reward to the inviter, once: as days on a device, or as a key. Throws `reward.not-found`, `reward.not-claimable`,
 * `device.not-found`, `reward.no-plan`, `plan.too-far-ahead` or `reward.no-product`.
 */
export async function claimReward(deps: ClaimDeps, claim: Claim): Promise<{ reward: RewardRow; key: string | null }> {
  const { userId, rewardId: id } = claim;
  return await deps.db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    const found = await findReward(tx, { id, userId });
    if (found === undefined) throw new AppError('reward.not-found');
    if (found.status !== 'claimable' || (await isRefunded(tx, found.orderId)))
      throw new AppError('reward.not-claimable');
    const { days, worthFen: amountFen } = found;
    const key = claim.as === 'key' ? await giveKey(tx, deps.sealingKey, { userId, days }) : null;
    if (claim.as === 'days') await giveDays(tx, { userId, deviceId: claim.deviceId, days });
    const reward = await markClaimed(tx, id, claim.as);
    await moveInLedger(tx, { reference: `reward:${id}:claimed`, from: 'rewards', to: 'rewards-owed', amountFen });
    return { reward, key };
  });
}

async function giveDays(
  tx: Db,
  { userId, deviceId, days }: { userId: number; deviceId: number | undefined; days: number },
): Promise<void> {
  if (deviceId === undefined || !(await ownsDevice(tx, { id: deviceId, userId })))
    throw new AppError('device.not-found');
  const outcome = await addDaysToDevice(tx, { userId, deviceId, days });
  if (outcome === 'no-plan') throw new AppError('reward.no-plan');
  if (outcome === 'too-far-ahead') throw new AppError('plan.too-far-ahead');
}

async function giveKey(
  tx: Db,
  sealingKey: Buffer,
  { userId, days }: { userId: number; days: number },
): Promise<string> {
  const terms = await standardTerms(tx, days);
  if (terms === undefined) throw new AppError('reward.no-product');
  return (await makeRewardKey(tx, sealingKey, { userId, terms })).text;
}
