import { expect, test } from 'vitest';
import {
  NotificationRefused,
  type NotificationRequest,
  type PaymentNotification,
  type PaymentProviderId,
} from './index.ts';
import type { FakeNotification } from './testing/fake-http.ts';
import { newPayment, openPayments, type OpenPayments } from './testing/open-payments.ts';

const ids = ['alipay', 'wechat'] as const;
const number = 'P20261124-0001';

async function openPaid(
  id: PaymentProviderId,
  options: Parameters<typeof openPayments>[0] = {},
): Promise<OpenPayments> {
  const t = await openPayments(options);
  await t.provider(id).create(newPayment(number));
  await t.fake(id).pay(number);
  return t;
}

function requestOf({ headers, rawBody }: FakeNotification): NotificationRequest {
  return { headers, rawBody };
}

async function read(
  t: OpenPayments,
  id: PaymentProviderId,
  request: NotificationRequest,
): Promise<PaymentNotification | null> {
  return await t.provider(id).readNotification(request);
}

test.for(ids)('%s: a notification reports the payment, every time it comes', async (id) => {
  await using t = await openPaid(id);
  await t.fake(id).resend(number);
  const [payment] = t.fake(id).get(number).payments;
  const expected = {
    type: 'paid',
    paymentNumber: number,
    transactionId: payment?.transactionId,
    amountFen: 2600,
    paidAt: new Date(Math.floor(Number(payment?.paidAt) / 1000) * 1000),
  };
  const [first, again] = t.merchant.received;
  expect(await read(t, id, first!)).toEqual(expected);
  expect(await read(t, id, first!)).toEqual(expected); // a replay of the same bytes
  expect(await read(t, id, again!)).toEqual(expected);
});

test.for(ids)('%s: a double payment has a transaction of its own', async (id) => {
  await using t = await openPaid(id);
  await t.fake(id).pay(number);
  const read2 = await Promise.all(t.merchant.received.map(async (request) => await read(t, id, request)));
  const transactions = t
    .fake(id)
    .get(number)
    .payments.map(({ transactionId }) => ({ transactionId }));
  expect(new Set(transactions.map(({ transactionId }) => transactionId)).size).toBe(2);
  expect(read2).toMatchObject(transactions);
});

test.for(ids)('%s: notifications can be lost, held back and come in any order', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  await t.provider(id).create(newPayment('P20261124-0002'));
  const fake = t.fake(id);
  fake.behaviour.notifications = 'hold';
  await fake.pay(number);
  await fake.pay('P20261124-0002');
  expect(t.merchant.received).toEqual([]);

  fake.behaviour.notifications = 'drop';
  await fake.resend(number);
  await fake.releaseNotifications({ order: 'reversed' });
  fake.behaviour.notifications = 'send';
  fake.behaviour.copies = 2;
  await fake.resend(number);

  const numbers = await Promise.all(
    t.merchant.received.map(async (request) => (await read(t, id, request))?.paymentNumber),
  );
  expect(numbers).toEqual(['P20261124-0002', number, number, number]);
});

test.for(ids)('%s: the reply says whether to send it again', async (id) => {
  await using t = await openPaid(id);
  t.merchant.reply = t.provider(id).notificationReply({ isReceived: true });
  await t.fake(id).resend(number);
  t.merchant.reply = t.provider(id).notificationReply({ isReceived: false });
  await t.fake(id).resend(number);
  const [, accepted, refused] = t.fake(id).replies;
  expect(accepted).toMatchObject(id === 'alipay' ? { status: 200, body: 'success' } : { status: 200 });
  expect(refused).toMatchObject(id === 'alipay' ? { status: 200, body: 'fail' } : { status: 500 });
});

const foreign = [
  ['alipay', { app_id: '9021000000000009' }, 'app'],
  ['alipay', { seller_id: '2088000000000009' }, 'merchant'],
  ['alipay', { out_trade_no: '' }, 'malformed'],
  ['alipay', { total_amount: '26.001' }, 'malformed'],
  ['alipay', { total_amount: '1e3' }, 'malformed'],
  ['alipay', { gmt_payment: 'today' }, 'malformed'],
  ['alipay', { notify_time: 'now' }, 'malformed'],
  ['wechat', { appid: 'wxfake0000000009' }, 'app'],
  ['wechat', { mchid: '1900000009' }, 'merchant'],
  ['wechat', { transaction_id: '' }, 'malformed'],
  ['wechat', { trade_state: 'UNKNOWN' }, 'malformed'],
  ['wechat', { success_time: 'today' }, 'malformed'],
] as const;
test.for(foreign)('%s: a signed notification with %j is refused: %s', async ([id, changes, code]) => {
  await using t = await openPaid(id);
  const request = requestOf(t.fake(id).notificationOf(number, changes));
  await expect(read(t, id, request)).rejects.toMatchObject({ name: 'NotificationRefused', provider: id, code });
});

test('a genuine notification that moves no money is null', async () => {
  await using t = await openPaid('alipay');
  const closed = requestOf(t.fake('alipay').notificationOf(number, { trade_status: 'TRADE_CLOSED' }));
  expect(await read(t, 'alipay', closed)).toBeNull();
  const waiting = requestOf(t.fake('alipay').notificationOf(number, { trade_status: 'WAIT_BUYER_PAY' }));
  expect(await read(t, 'alipay', waiting)).toBeNull();
});

test('every changed byte of an Alipay notification is noticed', async () => {
  await using t = await openPaid('alipay');
  const { rawBody } = t.fake('alipay').notificationOf(number);
  const forms = [
    rawBody.toString().replace('total_amount=26.00', 'total_amount=2600.00'),
    rawBody.toString().replace('trade_status=TRADE_SUCCESS', 'trade_status=TRADE_FINISHED'),
    rawBody.toString().replace(/sign=[^&]+/, 'sign=AAAA'),
    rawBody.toString().replace(/&sign=[^&]+/, ''),
    // With the sender's choice of RSA the signature could be one of SHA-1.
    rawBody.toString().replace('sign_type=RSA2', 'sign_type=RSA'),
    `${rawBody.toString()}&extra=1`,
  ];
  for (const form of forms) {
    const request = { headers: {}, rawBody: Buffer.from(form) };
    await expect(read(t, 'alipay', request)).rejects.toMatchObject({ code: 'signature' });
  }
  const doubled = { headers: {}, rawBody: Buffer.from(`${rawBody.toString()}&total_amount=9.99`) };
  await expect(read(t, 'alipay', doubled)).rejects.toMatchObject({ code: 'malformed' });
});

test('every changed part of a WeChat Pay notification is noticed', async () => {
  await using t = await openPaid('wechat');
  const { headers, rawBody } = t.fake('wechat').notificationOf(number);
  const changed: [NotificationRequest, string][] = [
    [{ headers, rawBody: Buffer.from(rawBody.toString().replace('SUCCESS', 'SUCCEED')) }, 'signature'],
    [{ headers, rawBody: rawBody.subarray(0, -1) }, 'signature'],
    [{ headers, rawBody: Buffer.alloc(0) }, 'signature'],
    [{ headers: { ...headers, 'wechatpay-nonce': 'other' }, rawBody }, 'signature'],
    [{ headers: { ...headers, 'wechatpay-timestamp': later(headers, 1) }, rawBody }, 'signature'],
    [{ headers: { ...headers, 'wechatpay-timestamp': 'now' }, rawBody }, 'malformed'],
    // WeChat Pay sends such signatures itself, to see whether they are checked.
    [{ headers: { ...headers, 'wechatpay-signature': 'WECHATPAY/SIGNTEST/AAAA' }, rawBody }, 'signature'],
    [{ headers: { ...headers, 'wechatpay-serial': 'PUB_KEY_ID_0000' }, rawBody }, 'unknown-key'],
    [{ headers: {}, rawBody }, 'malformed'],
  ];
  for (const [request, code] of changed) {
    await expect(read(t, 'wechat', request)).rejects.toMatchObject({ name: 'NotificationRefused', code });
  }
});

test('a notification in the name of the merchant’s own key is not one of the provider', async () => {
  for (const id of ids) {
    await using t = await openPaid(id);
    const own = id === 'alipay' ? { ...t.fakes.keys.alipay } : { ...t.fakes.keys.wechat };
    const forger = t.reopen(({ alipay, wechat }) => ({
      alipay: { ...alipay, alipayPublicKey: 'app' in own ? own.app.publicKey : alipay.alipayPublicKey },
      wechat: { ...wechat, publicKey: { id: 'PUB_KEY_ID_0', key: t.fakes.keys.wechat.merchant.publicKey } },
    }));
    const [request] = t.merchant.received;
    await expect(forger.get(id)?.readNotification(request!)).rejects.toThrow(NotificationRefused);
  }
});

const times = [
  ['alipay', -25 * 3600, 'accepted'], // Alipay repeats for 25 hours
  ['alipay', -27 * 3600, 'refused'],
  ['alipay', 4 * 60, 'accepted'],
  ['alipay', 6 * 60, 'refused'],
  ['wechat', -4 * 60, 'accepted'],
  ['wechat', -6 * 60, 'refused'],
  ['wechat', 4 * 60, 'accepted'],
  ['wechat', 6 * 60, 'refused'],
] as const;
test.for(times)('%s: a notification %i s from now is %s', async ([id, seconds, outcome]) => {
  await using t = await openPaid(id);
  t.fake(id).behaviour.clockOffsetMs = seconds * 1000; // without a reply that would show this clock
  const reading = read(t, id, requestOf(t.fake(id).notificationOf(number)));
  if (outcome === 'accepted') expect(await reading).toMatchObject({ type: 'paid' });
  else await expect(reading).rejects.toMatchObject({ code: 'time' });
});

test('a notification sealed with another key, or truncated inside, is refused', async () => {
  await using t = await openPaid('wechat');
  const [request] = t.merchant.received;
  const other = t.reopen(({ wechat }) => ({
    alipay: undefined,
    wechat: { ...wechat, apiV3Key: Buffer.alloc(32, 'x') },
  }));
  await expect(other.get('wechat')?.readNotification(request!)).rejects.toMatchObject({ code: 'decryption' });
});

test.for(ids)('%s: a giant notification is refused before anything is computed', async (id) => {
  await using t = await openPaid(id);
  const { headers, rawBody } = t.fake(id).notificationOf(number);
  const giant = { headers, rawBody: Buffer.concat([rawBody, Buffer.alloc(64 * 1024, ' ')]) };
  await expect(read(t, id, giant)).rejects.toMatchObject({ code: 'too-large' });
});

test.for([Buffer.alloc(0), Buffer.from('{}'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('sign=&sign_type=RSA2')])(
  'alipay: a body that is no notification is refused: %o',
  async (rawBody) => {
    await using t = await openPayments();
    await expect(read(t, 'alipay', { headers: {}, rawBody })).rejects.toMatchObject({ code: 'signature' });
  },
);

test('while a merchant changes to the public key, notifications with a certificate are accepted, too', async () => {
  await using t = await openPayments();
  await t.provider('wechat').create(newPayment(number));
  t.fake('wechat').signsNotificationsWith = 'certificate';
  await t.fake('wechat').pay(number);
  expect(await read(t, 'wechat', t.merchant.received[0]!)).toMatchObject({ type: 'paid' });
});

test('forged serial numbers cause one call for certificates a minute', async () => {
  let monotonicMs = 0;
  await using t = await openPayments({ monotonicMs: () => monotonicMs });
  await t.provider('wechat').create(newPayment(number));
  await t.fake('wechat').pay(number);
  const { headers, rawBody } = t.fake('wechat').notificationOf(number);
  const forged = { headers: { ...headers, 'wechatpay-serial': 'AAAA' }, rawBody };
  await expect(read(t, 'wechat', forged)).rejects.toMatchObject({ code: 'unknown-key' });

  t.fake('wechat').behaviour.fault = 'unavailable'; // a call would now throw another error
  await expect(read(t, 'wechat', forged)).rejects.toMatchObject({ code: 'unknown-key' });
  monotonicMs += 60_000;
  await expect(read(t, 'wechat', forged)).rejects.toMatchObject({ name: 'PaymentProviderError', code: 'unavailable' });
});

function later(headers: Record<string, string>, seconds: number): string {
  return String(Number(headers['wechatpay-timestamp']) + seconds);
}
