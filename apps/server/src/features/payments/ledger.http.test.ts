import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openTill, reconcile } from './testing/open-till.ts';
import { checkLedger, enterInLedger, moveInLedger, registerLedgerRoutes } from '../ledger/index.ts';

const path = '/api/manage/ledger/check/';

async function openLedger(db: Db) {
  const { log, lines } = captureLog();
  const app = await openTestApp(db, (server) => registerLedgerRoutes(server, { db, log }));
  const id = await insertUser(db, 'boss');
  await db.updateTable('userAccount').set({ isSuperuser: true, isStaff: true }).where('id', '=', id).execute();
  return { ...app, boss: await app.browserOf(id), bossId: id, lines };
}

async function paidTill(db: Db) {
  const till = await openTill(db);
  const orderId = await till.order();
  till.alipay.pay(await till.start(orderId));
  await reconcile(till);
  return { ...till, orderId };
}

test('staff read the accounts of a ledger that balances', async () => {
  await using t = await openTestDb();
  await paidTill(t.db);
  await using ledger = await openLedger(t.db);

  const reply = await ledger.boss.call('GET', path);

  expect(reply).toMatchObject({ status: 200, body: { balanced: true, problems: [] } });
  expect(reply.body).toMatchObject({
    accounts: [
      { account: 'alipay', balance_fen: 2_600 },
      { account: 'sales', balance_fen: -2_600 },
    ],
  });
});

test('a buyer may not read them', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  await using ledger = await openLedger(t.db);

  expect(await (await ledger.browserOf(till.userId)).call('GET', path)).toMatchObject({ status: 403 });
});

test('a ledger that does not balance alerts every superuser and is an error in the log', async () => {
  await using t = await openTestDb();
  const till = await paidTill(t.db);
  await using ledger = await openLedger(t.db);
  const channel = {
    userId: ledger.bossId,
    kind: 'bark' as const,
    name: '值班',
    targetSealed: Buffer.alloc(1),
    hint: '',
  };
  await t.db
    .insertInto('alertChannel')
    .values({ ...channel, hasSecret: false, events: ['ledger_unbalanced'] })
    .execute();
  await moveInLedger(t.db, {
    reference: 'payment:999',
    from: 'sales',
    to: 'wechat',
    amountFen: 7,
    orderId: till.orderId,
  });

  const reply = await ledger.boss.call('GET', path);

  expect(reply.body).toMatchObject({ balanced: false });
  expect((reply.body as { problems: string[] }).problems).toEqual([
    '分录与付款、退款不一致：payment:999 sales，应为 没有，实际 -0.07 元',
    '分录与付款、退款不一致：payment:999 wechat，应为 没有，实际 0.07 元',
    '科目余额不一致：微信支付，应为 0.00 元，实际 0.07 元',
    '科目余额不一致：销售，应为 -26.00 元，实际 -26.07 元',
  ]);
  expect(ledger.lines).toMatchObject([{ level: 50, msg: 'the ledger does not balance' }]);
  const deliveries = await t.db.selectFrom('alertDelivery').select('details').execute();
  expect(deliveries).toMatchObject([{ details: { event: 'ledger_unbalanced', problemCount: 4 } }]);
});

/** Each breaks one thing that the schema alone cannot guard. */
const breaks: [string, string, string][] = [
  [
    'a payment without its entries',
    `insert into payment (order_id, provider, number, amount_fen, paid_fen, status, transaction_id,
    expires_at, paid_at) select order_id, 'wechat', 'P2', 5, 5, 'paid', 't', now(), now() from payment`,
    '分录与付款、退款不一致',
  ],
  ['a paid order without a payment', 'update payment set settles = false', '订单与付款不一致'],
  ['an order that says more than its refunds', 'update product_order set refunded_fen = 1', '订单的退款合计不一致'],
  ['a payment that says more than its refunds', 'update payment set refunded_fen = 1', '付款的退款合计不一致'],
  [
    'a refund that is done without its entries',
    `insert into refund (payment_id, number, amount_fen, reason, status, done_at) select id, 'R1', 1, '', 'done', now() from payment`,
    '分录与付款、退款不一致：refund:1',
  ],
  [
    'a claimed reward without its entries',
    `insert into invitation_reward (user_id, invitee_name, event, status, days, worth_fen, claimed_at, claimed_as)
      select id, 'x', 'paid', 'claimed', 7, 50, now(), 'days' from user_account`,
    '分录与邀请奖励不一致：reward:1:claimed',
  ],
];
test.each(breaks)('%s is found', async (_what, statement, problem) => {
  await using t = await openTestDb();
  const till = await paidTill(t.db);
  expect(await till.problems()).toEqual([]);
  await sql.raw(statement).execute(t.db);

  const { balanced, problems } = await checkLedger(t.db);

  expect(balanced).toBe(false);
  expect(problems.join('\n')).toContain(problem);
});

test('entries that do not sum to 0 are refused, and so are changes of what was entered', async () => {
  await using t = await openTestDb();
  await paidTill(t.db);

  const enter = t.db
    .transaction()
    .execute(async (tx) => await enterInLedger(tx, { reference: 'x', entries: [{ account: 'sales', amountFen: 1 }] }));

  await expect(enter).rejects.toMatchObject({ code: '23514' });
  await expect(t.db.updateTable('ledgerEntry').set({ amountFen: 5 }).execute()).rejects.toMatchObject({
    code: '23001',
  });
  await expect(t.db.deleteFrom('ledgerTransaction').execute()).rejects.toMatchObject({ code: '23001' });
});
