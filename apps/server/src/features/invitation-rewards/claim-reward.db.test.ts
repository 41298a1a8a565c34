import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertPlan, insertProduct } from '../../testing/billing-fixtures.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { claimReward } from './claim-reward.ts';
import { insertClaimable, insertPayment, listAll, readLedger, refund, runJob } from './testing/invitation-fixtures.ts';

const sealingKey = Buffer.alloc(32, 3);
const DAY_MS = 86_400_000;

async function openHome(endsAt = new Date(Date.now() + 10 * DAY_MS)) {
  const t = await openTestDb();
  const home = await insertHome(t.db);
  const productId = await insertProduct(t.db);
  const planId = await insertPlan(t.db, { ...home, productId, endsAt });
  const deps = { db: t.db, sealingKey };
  const readEnd = async () =>
    (
      await t.db.selectFrom('plan').select('endsAt').where('id', '=', planId).executeTakeFirstOrThrow()
    ).endsAt.getTime();
  return {
    ...t,
    ...home,
    productId,
    planId,
    endsAt,
    deps,
    readEnd,
    [Symbol.asyncDispose]: async () => await t[Symbol.asyncDispose](),
  };
}

const countKeys = async (db: Db) => (await db.selectFrom('productKey').select('id').execute()).length;

test('days go to the plan of a device, once, and the ledger says so', async () => {
  await using home = await openHome();
  const { userId, deviceId } = home;
  const rewardId = await insertClaimable(home.db, { userId });
  const claim = async () => await claimReward(home.deps, { userId, rewardId, as: 'days', deviceId });

  expect(await claim()).toMatchObject({ reward: { status: 'claimed', claimedAs: 'days' }, key: null });
  await expect(claim()).rejects.toMatchObject({ code: 'reward.not-claimable' });

  expect(await home.readEnd()).toBe(home.endsAt.getTime() + 7 * DAY_MS);
  expect(await readLedger(home.db)).toEqual({
    sums: { rewards: -49, 'rewards-owed': 49 },
    references: [`reward:${rewardId}:claimed`],
  });
});

test('a key has the terms of the standard product for the days of the reward', async () => {
  await using home = await openHome();
  const { userId } = home;
  await insertProduct(home.db, { name: '体验版', price_fen: 0 });
  const rewardId = await insertClaimable(home.db, { userId });

  const { key } = await claimReward(home.deps, { userId, rewardId, as: 'key' });

  expect(key).toMatch(/^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
  const batch = await home.db
    .selectFrom('productKey')
    .innerJoin('keyBatch', 'keyBatch.id', 'batchId')
    .select(['ownerId', 'status', 'productName', 'days', 'priceFen', 'keyBatch.productId'])
    .execute();
  const terms = { productId: home.productId, productName: '标准版', days: 7, priceFen: 50 };
  expect(batch).toEqual([{ ownerId: userId, status: 'issued', ...terms }]);
});

test('of many claims at once, one gets it, as days or as a key', async () => {
  await using home = await openHome();
  const { userId, deviceId } = home;
  const rewardId = await insertClaimable(home.db, { userId });

  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, n) =>
      n % 2 === 0
        ? await claimReward(home.deps, { userId, rewardId, as: 'days', deviceId })
        : await claimReward(home.deps, { userId, rewardId, as: 'key' }),
    ),
  );

  const given = tries.filter((one) => one.status === 'fulfilled');
  expect(given).toHaveLength(1);
  const keys = await countKeys(home.db);
  const days = ((await home.readEnd()) - home.endsAt.getTime()) / DAY_MS;
  expect(keys * 7 + days).toBe(7);
  expect((await readLedger(home.db)).references).toEqual([`reward:${rewardId}:claimed`]);
});

test('a refund that comes first makes the claim fail, and the reward void', async () => {
  await using home = await openHome();
  const { userId } = home;
  const orderId = await insertPayment(home.db, userId, home.productId);
  const rewardId = await insertClaimable(home.db, { userId, orderId });
  const lockOrder = async (tx: Db) => await tx.selectFrom('productOrder').select('id').forUpdate().execute();

  const [, claimed] = await runBothWhileLocked(
    home,
    lockOrder,
    async () => await refund(home.db, orderId),
    async () => await claimReward(home.deps, { userId, rewardId, as: 'key' }),
  );

  expect(claimed).toMatchObject({ reason: { code: 'reward.not-claimable' } });
  expect(await countKeys(home.db)).toBe(0);
  await runJob(home.db);
  expect(await listAll(home.db)).toMatchObject([{ status: 'void', voidReason: 'refunded' }]);
});

test('a claim that comes first stays claimed when the payment is returned', async () => {
  await using home = await openHome();
  const { userId } = home;
  const orderId = await insertPayment(home.db, userId, home.productId);
  const rewardId = await insertClaimable(home.db, { userId, orderId });

  await claimReward(home.deps, { userId, rewardId, as: 'key' });
  await refund(home.db, orderId);
  await runJob(home.db);

  expect(await listAll(home.db)).toMatchObject([{ status: 'claimed' }]);
});

test('what cannot be claimed stays as it is', async () => {
  await using home = await openHome(new Date(Date.now() + 728 * DAY_MS));
  const { userId, deviceId } = home;
  const rewardId = await insertClaimable(home.db, { userId });
  const other = await insertHome(home.db, 'other');
  const freePlan = { ...other, productId: home.productId, priceFen: 0 };
  await insertPlan(home.db, freePlan);
  const otherReward = await insertClaimable(home.db, other);
  const claim = async (as: { userId: number; rewardId: number; deviceId?: number }) =>
    await claimReward(home.deps, { deviceId: undefined, ...as, as: 'days' });

  const refused: [Parameters<typeof claim>[0], string][] = [
    [{ userId, rewardId, deviceId }, 'plan.too-far-ahead'],
    [{ userId, rewardId, deviceId: other.deviceId }, 'device.not-found'],
    [{ userId, rewardId }, 'device.not-found'],
    [{ userId, rewardId: otherReward, deviceId }, 'reward.not-found'],
    [{ userId: other.userId, rewardId: otherReward, deviceId: other.deviceId }, 'reward.no-plan'],
  ];
  for (const [wanted, code] of refused) await expect(claim(wanted)).rejects.toMatchObject({ code });
  await home.db.updateTable('product').set({ listed: false }).execute();
  await expect(claimReward(home.deps, { userId, rewardId, as: 'key' })).rejects.toMatchObject({
    code: 'reward.no-product',
  });
  expect((await listAll(home.db)).map(({ status }) => status)).toEqual(['claimable', 'claimable']);
  expect((await readLedger(home.db)).references).toEqual([]);
});
