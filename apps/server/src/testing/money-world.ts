import { must } from '@tongtu/base';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Db } from '../db/driver.ts';
import { registerBillingFeatures } from '../register-billing-features.ts';
import { insertAccount, testKeys } from './apps/open-account-app.ts';
import { openTestApp } from './apps/open-test-app.ts';
import { acceptPaymentTerms, insertProduct } from './billing-fixtures.ts';
import { crashingDb } from './crashing-db.ts';
import { MemoryProvider } from './memory-provider.ts';
import { insertDevice, insertHome, insertPresence, insertRelay } from './device-fixtures.ts';

const DAY_MS = 86_400_000;

/**
 * A shop with all of its calls and jobs, one provider in memory, an inviter with one device, whom a buyer with two devices
 * has named, and staff. `crash.isOn`: transactions are lost.
 */
export async function openMoneyWorld(db: Db) {
  const crash = { isOn: false };
  const provider = new MemoryProvider('alipay');
  const log = pino({ level: 'silent' });
  const secrets = { sealingKey: testKeys.sealingKey };
  const config = {
    billing: 'on',
    payments: { alipay: undefined, wechat: undefined },
    publicUrl: 'https://example.com',
    secrets,
  } as const;
  const billing = { config, db: crashingDb(db, () => crash.isOn), log };
  let jobs: readonly { run: () => Promise<void> }[] = [];
  const app = await openTestApp(db, (fastify) => {
    ({ jobs } = registerBillingFeatures(fastify, {
      ...billing,
      createProviders: () => new Map([['alipay' as const, provider]]),
    }));
  });
  const products = [
    await insertProduct(db),
    await insertProduct(db, { name: '进阶版', price_fen: 7_800, bandwidth_bps: 8_000_000, mapping_limit: 20 }),
    await insertProduct(db, { name: '体验版', price_fen: 0, days: 7, mapping_limit: 5 }),
  ] as const;
  const staffId = await insertAccount(db, { username: 'staff', isStaff: true });
  const inviter = await insertHome(db, 'inviter');
  const { userId: buyerId, serverId, deviceId } = await insertHome(db, 'buyer');
  await db
    .updateTable('userAccount')
    .set({
      inviterId: inviter.userId,
      inviterBoundAt: new Date(),
      phoneNumber: '+8613800000002',
      phoneBoundAt: new Date(),
    })
    .where('id', '=', buyerId)
    .execute();
  await insertRelay(db, { serverId });
  await insertPresence(db, { deviceId });
  const second = await insertDevice(db, { userId: buyerId, serverId });
  const bulk = db.insertInto('bulkProduct').values({ productId: products[0] }).returning('id');
  const { id: bulkProductId } = await bulk.executeTakeFirstOrThrow();
  await db.insertInto('bulkTier').values({ bulkProductId, fromQuantity: 1, percent: 80 }).execute();
  for (const id of [staffId, inviter.userId, buyerId]) await acceptPaymentTerms(db, id);
  const staff = await app.browserOf(staffId);
  const keys: string[] = [];
  for (const [product_id, count] of [
    [products[0], 3],
    [products[1], 1],
  ]) {
    const { body } = await staff.call('POST', '/api/manage/product-keys/', { product_id, count });
    keys.push(...(body as { keys: string[] }).keys);
  }
  return {
    ...{ db, app, staff, jobs, provider, crash, products, bulkProductId, keys },
    buyers: [
      { browser: await app.browserOf(buyerId), userId: buyerId, devices: [deviceId, second, undefined] },
      { browser: await app.browserOf(inviter.userId), userId: inviter.userId, devices: [inviter.deviceId, undefined] },
    ],
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

export type MoneyWorld = Awaited<ReturnType<typeof openMoneyWorld>>;

/** Lets days pass for all that a clock decides, at the provider, too. */
export async function passDays({ db, provider }: MoneyWorld, days: number): Promise<void> {
  const shift = (time: Date): Date => new Date(time.getTime() - days * DAY_MS);
  for (const { paid } of provider.payments.values()) for (const one of paid) one.paidAt = shift(one.paidAt);
  for (const refund of provider.refunds.values()) refund.at = shift(refund.at);
  const columns = {
    product_order: ['created_at', 'closes_at', 'paid_at', 'closed_at'],
    plan: ['starts_at', 'ends_at'],
    payment: ['created_at', 'expires_at', 'qr_expires_at', 'asked_at', 'paid_at'],
    refund: ['created_at', 'next_try_at', 'done_at'],
    invitation_reward: ['created_at', 'claimable_at', 'claimed_at'],
    user_account: ['created_at', 'inviter_bound_at'],
  };
  for (const [table, times] of Object.entries(columns)) {
    const earlier = times.map((time) => sql`${sql.ref(time)} = ${sql.ref(time)} - make_interval(days => ${days})`);
    await sql`update ${sql.table(table)} set ${sql.join(earlier)}`.execute(db);
  }
}

/** Lets the time of each next try come, and runs the jobs. */
export async function runJobs({ db, jobs }: { db: Db; jobs: readonly { run: () => Promise<void> }[] }): Promise<void> {
  await sql`update payment set asked_at = now() - interval '12 hours' where status = 'waiting'`.execute(db);
  await sql`update refund set next_try_at = now() where status <> 'done'`.execute(db);
  for (const job of jobs) await job.run();
}

export async function readPlans(db: Db) {
  return await db
    .selectFrom('plan')
    .select(['id', 'userId', 'deviceId', 'bandwidthBps', 'mappingLimit', 'startsAt', 'endsAt'])
    .orderBy('id')
    .execute();
}

export async function readOrders(db: Db) {
  return await db
    .selectFrom('productOrder')
    .select(['id', 'kind', 'status', 'planId', 'days', 'amountFen', 'refundedFen'])
    .orderBy('id')
    .execute();
}

/** Numbers that must be equal in pairs, because each key and each reward gives once. */
export async function readGiven(db: Db): Promise<{ keys: number[]; rewards: number[] }> {
  const { rows } = await sql<
    Record<'redeemed' | 'keyOrders' | 'distinctOrders' | 'claimedAsKey' | 'rewardKeys', number>
  >`
    select (select count(*)::integer from product_key where status = 'redeemed') as redeemed,
      (select count(distinct order_id)::integer from product_key where status = 'redeemed') as distinct_orders,
      (select count(*)::integer from product_order where kind = 'key') as key_orders,
      (select count(*)::integer from invitation_reward where claimed_as = 'key') as claimed_as_key,
      (select count(*)::integer from product_key join key_batch on key_batch.id = batch_id
        where owner_id is not null and key_batch.order_id is null) as reward_keys`.execute(db);
  const { redeemed, distinctOrders, keyOrders, claimedAsKey, rewardKeys } = must(rows[0], 'the counts');
  return { keys: [redeemed, distinctOrders, keyOrders], rewards: [claimedAsKey, rewardKeys] };
}
