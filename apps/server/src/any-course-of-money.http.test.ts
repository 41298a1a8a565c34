import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestDb } from './db/open-test-db.ts';
import { checkLedger } from './features/ledger/index.ts';
import {
  type MoneyWorld,
  openMoneyWorld,
  passDays,
  readGiven,
  readOrders,
  readPlans,
  runJobs,
} from './testing/money-world.ts';

// Orders, renewals, upgrades, bulk orders, keys, rewards and refunds of two accounts, in any order, with crashes and jumps of
// the clock. What the providers may do is the subject of any-course.db.test.ts of the payments.

const DAY_MS = 86_400_000;
const orders = '/api/user/product/orders/';

const step = fc.record({
  what: fc.constantFrom(
    ...(['order', 'order', 'renew', 'upgrade', 'bulk', 'pay', 'pay', 'pay', 'notify', 'notify', 'cancel'] as const),
    ...(['refund', 'refund-all', 'redeem', 'redeem', 'mark', 'claim', 'jobs', 'pass'] as const),
  ),
  who: fc.nat({ max: 1 }),
  which: fc.nat({ max: 11 }),
  crash: fc.constantFrom(...(['none', 'none', 'none', 'transaction', 'before', 'after'] as const)),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function nth<Value>(values: readonly Value[], n: number): Value | undefined {
  return values[n % Math.max(1, values.length)];
}

async function take(world: MoneyWorld, { what, who, which, crash }: Step): Promise<void> {
  const { db, provider, products, staff } = world;
  const buyer = nth(world.buyers, who);
  if (buyer === undefined) return;
  const { browser, userId } = buyer;
  const router = nth(buyer.devices, which);
  const onDevice = router === undefined ? {} : { router };
  world.crash.isOn = crash === 'transaction';
  provider.outage = crash === 'transaction' ? 'none' : crash;
  const own = (await readPlans(db)).filter((plan) => plan.userId === userId);
  const order = async (body: object): Promise<unknown> =>
    await browser.call('POST', orders, { uuid_from_client: randomUUID(), ...body });
  switch (what) {
    case 'order':
      return void (await order({ product_id: nth(products, which), kind: 'new', ...onDevice }));
    case 'renew':
      return void (await order({ product_id: nth(products, which), kind: 'renew', parent: nth(own, which)?.id }));
    case 'upgrade':
      return void (await order({ product_id: products[1], kind: 'upgrade', parent: nth(own, which)?.id }));
    case 'bulk': {
      const body = { bulk_product_id: world.bulkProductId, uuid_from_client: randomUUID(), quantity: 2 };
      return void (await staff.call('POST', '/api/user/product/bulkorders/', body));
    }
    case 'pay':
      return void provider.pay(nth([...provider.payments.keys()].toReversed(), which) ?? 'none');
    case 'notify': {
      const body = { paymentNumber: nth([...provider.payments.keys()].toReversed(), which) };
      const notify = async (): Promise<unknown> => await browser.call('POST', '/api/payment/notify/alipay', body);
      return void (await Promise.all([notify(), notify()]));
    }
    case 'cancel':
      return void (await browser.call('DELETE', `${orders}${nth(await readOrders(db), which)?.id}/`));
    case 'refund':
    case 'refund-all': {
      const paid = (await readOrders(db)).filter(({ status, amountFen }) => status === 'paid' && amountFen > 0);
      const { id, amountFen = 0, refundedFen = 0 } = nth(paid, which) ?? {};
      const amount_fen = what === 'refund' ? 100 : amountFen - refundedFen;
      return void (await staff.call('POST', `/api/manage/orders/${id}/refund/`, { amount_fen, reason: '测试' }));
    }
    case 'redeem': {
      const key = nth(await allKeys(world), which);
      const redeem = ({ browser: one }: { browser: typeof browser }, more: object) =>
        one.call('POST', '/api/user/product-keys-for-user/', { key, ...more });
      return void (await Promise.all([redeem(buyer, onDevice), ...world.buyers.map((one) => redeem(one, {}))]));
    }
    case 'mark': {
      const body = { keys: [nth(await allKeys(world), which)], status: who === 0 ? 'void' : 'issued', reason: '测试' };
      return void (await staff.call('POST', '/api/mark_product_keys_as_status/', body));
    }
    case 'claim': {
      const rewards = await db.selectFrom('invitationReward').select(['id', 'userId']).orderBy('id').execute();
      const body = { id: nth(rewards, which)?.id, ...(who === 0 ? { as: 'key' } : { as: 'days', ...onDevice }) };
      const [, inviter] = world.buyers;
      const claim = async () => await inviter?.browser.call('POST', '/api/marketing/invitation_rewards/', body);
      return void (await Promise.all([claim(), claim()]));
    }
    case 'jobs':
      return await runJobs(world).catch(() => undefined); // of a crash
    case 'pass':
      return await passDays(world, nth([1, 8, 40, 400], which) ?? 1);
  }
}

/** Those that staff made, and those that bulk orders and rewards gave. */
async function allKeys({ keys, staff, buyers }: MoneyWorld): Promise<string[]> {
  const lists = await Promise.all(
    [staff, ...buyers.map(({ browser }) => browser)].map((one) => one.call('GET', '/api/user/product-keys-for-user/')),
  );
  const given = lists.flatMap(({ body }) => (body as { results: { text: string | null }[] }).results);
  return [...keys, ...given.flatMap(({ text }) => text ?? [])];
}

/** Only a refund makes a plan shorter or worse. */
function assertNothingLost(
  before: Awaited<ReturnType<typeof readPlans>>,
  after: Awaited<ReturnType<typeof readPlans>>,
): void {
  for (const plan of before) {
    const now = after.find(({ id }) => id === plan.id);
    expect(now?.bandwidthBps).toBeGreaterThanOrEqual(plan.bandwidthBps);
    expect(now?.mappingLimit).toBeGreaterThanOrEqual(plan.mappingLimit);
    expect(now?.endsAt.getTime()).toBeGreaterThanOrEqual(plan.endsAt.getTime());
  }
}

async function assertSound({ db }: MoneyWorld): Promise<void> {
  expect((await checkLedger(db)).problems).toEqual([]);
  const given = await readGiven(db);
  expect(new Set(given.keys).size).toBe(1);
  expect(new Set(given.rewards).size).toBe(1);
  const plans = await readPlans(db);
  const devices = plans.flatMap(({ deviceId }) => deviceId ?? []);
  expect(new Set(devices).size).toBe(devices.length);
  const all = await readOrders(db);
  for (const { id, startsAt, endsAt } of plans) {
    const ofPlan = all.filter(({ planId, kind }) => planId === id && kind !== 'upgrade');
    const paidDays = ofPlan.filter(({ status }) => status === 'paid').reduce((sum, { days }) => sum + days, 0);
    // A renewal of a plan that is over begins later, and rewards add days.
    const hasRefund = ofPlan.some(({ status }) => status === 'refunded');
    if (!hasRefund) expect((endsAt.getTime() - startsAt.getTime()) / DAY_MS).toBeGreaterThanOrEqual(paidDays);
  }
  const paid = all.filter(({ kind, status }) => kind !== 'bulk' && (status === 'paid' || status === 'refunded'));
  expect(paid.filter(({ planId }) => planId === null)).toEqual([]);
}

/** The service runs again, the provider answers, the time of each order is over, and every job has had its time. */
async function settleDown(world: MoneyWorld): Promise<void> {
  world.crash.isOn = false;
  world.provider.outage = 'none';
  await passDays(world, 2);
  for (let round = 0; round < 3; round++) await runJobs(world);
}

test('in any course of purchases, keys, rewards, refunds and crashes nothing is given or charged twice, or lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      await using t = await openTestDb();
      await using world = await openMoneyWorld(t.db);
      for (const one of steps) {
        const before = await readPlans(t.db);
        await t.db.deleteFrom('rateCount').execute();
        await take(world, one);
        if (!['refund', 'refund-all', 'pass'].includes(one.what)) assertNothingLost(before, await readPlans(t.db));
        await assertSound(world);
      }
      await settleDown(world);
      await assertSound(world);
      const all = await readOrders(t.db);
      expect(all.filter(({ status }) => status === 'open')).toEqual([]);
      const keptFen = all
        .filter(({ status }) => status !== 'closed')
        .reduce((sum, { amountFen, refundedFen }) => sum + amountFen - refundedFen, 0);
      expect(world.provider.heldFen()).toBe(keptFen);
    }),
    { numRuns: 4 },
  );
}, 120_000);
