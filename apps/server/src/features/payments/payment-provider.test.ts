import { expect, test } from 'vitest';
import { beijingText } from './beijing-time.ts';
import { PaymentProviderError, type ProviderPayment, type RefundState } from './index.ts';
import { newPayment, openPayments } from './testing/open-payments.ts';

const ids = ['alipay', 'wechat'] as const;
const number = 'P20261124-0001';

function refundOf(amountFen: number, refundNumber = 'R20261124-0001') {
  return { number: refundNumber, paymentNumber: number, amountFen, totalFen: 2600, reason: '用户申请退款' };
}

test.for(ids)('%s: a payment is created, scanned, paid and found', async (id) => {
  await using t = await openPayments();
  const provider = t.provider(id);
  expect(await provider.find(number)).toEqual({ state: 'absent' });

  const payment = newPayment(number);
  const { qrText, qrExpiresAt } = await provider.create(payment);

  expect(qrText).toMatch(/^http:/);
  expect(qrExpiresAt).toEqual(payment.expiresAt); // within the two hours of a code
  t.fake(id).scan(number);
  expect(await provider.find(number)).toEqual({ state: 'waiting' });
  await t.fake(id).pay(number);
  const paid = t.fake(id).get(number).payments[0]!;
  const expected: ProviderPayment = {
    state: 'paid',
    transactionId: paid.transactionId,
    amountFen: 2600,
    paidAt: new Date(Math.floor(paid.paidAt.getTime() / 1000) * 1000),
    hasRefund: false,
  };
  expect(await provider.find(number)).toEqual(expected);
});

test.for(ids)('%s: the same payment again is the same one at the provider', async (id) => {
  await using t = await openPayments();
  const payment = newPayment(number);
  const first = await t.provider(id).create(payment);
  expect((await t.provider(id).create(payment)).qrText).toBe(first.qrText);
  expect(t.fake(id).list()).toHaveLength(1);
});

test.for(ids)('%s: a code ends after two hours, while the payment goes on', async (id) => {
  await using t = await openPayments();
  const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 24 * 3_600_000);
  const { qrExpiresAt } = await t.provider(id).create(newPayment(number, { expiresAt }));
  expect(expiresAt.getTime() - qrExpiresAt.getTime()).toBeGreaterThan(22 * 3_600_000);
  expect(t.fake(id).get(number).expiresAt).toEqual(expiresAt);
});

test.for(ids)('%s: long names and characters that providers refuse are no obstacle', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number, { subject: `a=b&c/d,"e"\`${'标准版'.repeat(50)}` }));
  const { subject } = t.fake(id).get(number);
  expect(subject).toMatch(/^a b c d e 标准版/);
  expect(Buffer.byteLength(subject)).toBeLessThanOrEqual(127);
});

test.for(ids)('%s: a paid or closed payment cannot be created again', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  await t.provider(id).create(newPayment('P20261124-0002'));
  await t.fake(id).pay(number);
  t.fake(id).scan('P20261124-0002');
  t.fake(id).close('P20261124-0002');

  await expect(t.provider(id).create(newPayment(number))).rejects.toMatchObject({ code: 'already-paid' });
  await expect(t.provider(id).create(newPayment('P20261124-0002'))).rejects.toMatchObject({ code: 'closed' });
});

test.for(ids)('%s: a used number with another amount is refused', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  const other = t.provider(id).create(newPayment(number, { amountFen: 100 }));
  await expect(other).rejects.toMatchObject({ name: 'PaymentProviderError', code: 'refused' });
});

test.for(ids)('%s: closing ends an open payment, any number of times, and leaves a paid one', async (id) => {
  await using t = await openPayments();
  const provider = t.provider(id);
  await provider.close('P20261124-0009');
  await provider.create(newPayment(number));
  t.fake(id).scan(number);
  await provider.close(number);
  await provider.close(number);
  expect(await provider.find(number)).toEqual({ state: 'closed' });

  await provider.create(newPayment('P20261124-0002'));
  await t.fake(id).pay('P20261124-0002');
  await expect(provider.close('P20261124-0002')).rejects.toMatchObject({ code: 'already-paid' });
});

test('an Alipay payment that nobody has scanned is absent, counts as closed, and can be paid late', async () => {
  await using t = await openPayments();
  await t.provider('alipay').create(newPayment(number));
  expect(await t.provider('alipay').find(number)).toEqual({ state: 'absent' });
  await t.provider('alipay').close(number);
  await t.fake('alipay').pay(number);
  expect(await t.provider('alipay').find(number)).toMatchObject({ state: 'paid' });
});

test.for(ids)('%s: what was really paid is reported, also when it is not what was ordered', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  await t.fake(id).pay(number, { amountFen: 1 });
  expect(await t.provider(id).find(number)).toMatchObject({ state: 'paid', amountFen: 1 });
  const [request] = t.merchant.received;
  expect(await t.provider(id).readNotification(request!)).toMatchObject({ type: 'paid', amountFen: 1 });
});

test.for(ids)('%s: refunds are counted once by their number, in part and in full', async (id) => {
  await using t = await openPayments();
  const provider = t.provider(id);
  await provider.create(newPayment(number));
  await t.fake(id).pay(number);
  expect(await provider.findRefund(refundOf(1000))).toBe('absent');

  expect(await provider.refund(refundOf(1000))).toBe('done');
  expect(await provider.refund(refundOf(1000))).toBe('done');

  expect(await provider.findRefund(refundOf(1000))).toBe('done');
  expect(t.fake(id).get(number).refunds).toMatchObject([{ number: 'R20261124-0001', amountFen: 1000 }]);
  await expect(provider.refund(refundOf(1601, 'R20261124-0002'))).rejects.toMatchObject({ code: 'refused' });
  await expect(provider.refund(refundOf(999))).rejects.toMatchObject({ code: 'refused' }); // the number's second amount
  expect(await provider.refund(refundOf(1600, 'R20261124-0002'))).toBe('done');
  expect(await provider.find(number)).toMatchObject({ state: 'paid', amountFen: 2600, hasRefund: true });
});

test.for(ids)('%s: a refund of nothing that was paid is refused', async (id) => {
  await using t = await openPayments();
  await expect(t.provider(id).refund(refundOf(1))).rejects.toMatchObject({ code: 'refused' });
  await t.provider(id).create(newPayment(number));
  t.fake(id).scan(number);
  await expect(t.provider(id).refund(refundOf(1))).rejects.toMatchObject({ code: 'refused' });
});

test.for(ids)('%s: a refund from an empty account says so', async (id) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  await t.fake(id).pay(number);
  t.fake(id).behaviour.refunds = 'no-balance';
  await expect(t.provider(id).refund(refundOf(1))).rejects.toMatchObject({ code: 'insufficient-balance' });
});

const settled: [(typeof ids)[number], 'done' | 'failed', RefundState | 'absent', RefundState | 'absent'][] = [
  ['alipay', 'done', 'absent', 'done'],
  ['wechat', 'done', 'pending', 'done'],
  ['wechat', 'failed', 'pending', 'failed'],
];
test.for(settled)('%s: a refund in progress that ends as %s', async ([id, outcome, meanwhile, after]) => {
  await using t = await openPayments();
  await t.provider(id).create(newPayment(number));
  await t.fake(id).pay(number);
  t.fake(id).behaviour.refunds = 'pending';

  expect(await t.provider(id).refund(refundOf(2600))).toBe('pending');
  expect(await t.provider(id).findRefund(refundOf(2600))).toBe(meanwhile);
  await t.fake(id).settleRefund('R20261124-0001', outcome);

  expect(await t.provider(id).findRefund(refundOf(2600))).toBe(after);
  expect(await t.provider(id).readNotification(t.merchant.received.at(-1)!)).toEqual({
    type: 'refund',
    paymentNumber: number,
    refundNumber: 'R20261124-0001',
    state: outcome,
  });
});

test.for(ids)('%s: the bill of a day lists its payments and refunds', async (id) => {
  await using t = await openPayments();
  const provider = t.provider(id);
  await provider.create(newPayment(number));
  await provider.create(newPayment('P20261124-0002', { amountFen: 7800, subject: '进阶版，1 年' }));
  await provider.create(newPayment('P20261124-0003')); // never paid
  await t.fake(id).pay(number);
  await t.fake(id).pay('P20261124-0002');
  await provider.refund(refundOf(1000));
  const transactionId = t.fake(id).get(number).payments[0]?.transactionId;

  const day = beijingText(t.fake(id).get(number).payments[0]!.paidAt).slice(0, 10);
  expect(await provider.bill(day)).toEqual([
    { type: 'payment', paymentNumber: number, transactionId, amountFen: 2600 },
    { type: 'refund', paymentNumber: number, refundNumber: 'R20261124-0001', transactionId, amountFen: 1000 },
    expect.objectContaining({ type: 'payment', paymentNumber: 'P20261124-0002', amountFen: 7800 }),
  ]);
  expect(await provider.bill('2020-01-01')).toEqual([]);
});

test('WeChat Pay says when a bill is not ready', async () => {
  await using t = await openPayments();
  t.fake('wechat').behaviour.isBillReady = false;
  await expect(t.provider('wechat').bill('2026-11-23')).rejects.toMatchObject({ code: 'bill-not-ready' });
});

const faults = ids.flatMap((id) => {
  return (['silent', 'giant', 'truncated', 'wrong-signature', 'unavailable'] as const).map(
    (fault) => [id, fault] as const,
  );
});
test.for(faults)('%s: after a %s reply the outcome is unknown', async ([id, fault]) => {
  await using t = await openPayments({ timeoutMs: fault === 'silent' ? 200 : 10_000 });
  await t.provider(id).create(newPayment(number));
  t.fake(id).scan(number);
  t.fake(id).behaviour.fault = fault;

  const unknown = { name: 'PaymentProviderError', provider: id, code: 'unavailable' };
  await expect(t.provider(id).create(newPayment(number))).rejects.toMatchObject(unknown);
  await expect(t.provider(id).find(number)).rejects.toMatchObject(unknown);
  await expect(t.provider(id).refund(refundOf(1))).rejects.toMatchObject(unknown);
  await expect(t.provider(id).bill('2026-11-23')).rejects.toMatchObject(unknown);
});

test.for(ids)('%s: a provider that cannot be reached is unavailable', async (id) => {
  await using t = await openPayments();
  await t.fakes[Symbol.asyncDispose]();
  const error: unknown = await t
    .provider(id)
    .find(number)
    .catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(PaymentProviderError);
  expect(error).toMatchObject({ code: 'unavailable', provider: id });
});

test.for(ids)('%s: requests with another merchant’s key are refused', async (id) => {
  await using t = await openPayments();
  const { app } = t.fakes.keys.alipay;
  const { merchant } = t.fakes.keys.wechat;
  const provider = t
    .reopen(({ alipay, wechat }) => ({
      alipay: { ...alipay, privateKey: merchant.privateKey },
      wechat: { ...wechat, privateKey: app.privateKey },
    }))
    .get(id);
  await expect(provider?.create(newPayment(number))).rejects.toMatchObject({ code: 'refused' });
});

test.for(ids)('%s: a provider whose clock is off by 40 minutes is understood from the second call on', async (id) => {
  await using t = await openPayments();
  t.fake(id).behaviour.clockOffsetMs = 40 * 60_000;
  await t
    .provider(id)
    .create(newPayment(number))
    .catch(() => undefined);
  await t.provider(id).create(newPayment(number));
  await t.fake(id).pay(number);
  expect(await t.provider(id).find(number)).toMatchObject({ state: 'paid' });
  expect(await t.provider(id).readNotification(t.merchant.received[0]!)).toMatchObject({ type: 'paid' });
});

test('WeChat Pay works with platform certificates in place of its public key', async () => {
  await using t = await openPayments();
  const provider = t
    .reopen(({ wechat }) => ({ alipay: undefined, wechat: { ...wechat, publicKey: undefined } }))
    .get('wechat');
  t.fake('wechat').signsNotificationsWith = 'certificate';
  await provider?.create(newPayment(number));
  await t.fake('wechat').pay(number);
  expect(await provider?.find(number)).toMatchObject({ state: 'paid' });
  expect(await provider?.readNotification(t.merchant.received[0]!)).toMatchObject({ type: 'paid' });
});

test('with a wrong APIv3 key no platform certificate can be trusted', async () => {
  await using t = await openPayments();
  const provider = t
    .reopen(({ wechat }) => {
      return { alipay: undefined, wechat: { ...wechat, publicKey: undefined, apiV3Key: Buffer.alloc(32, 'x') } };
    })
    .get('wechat');
  await expect(provider?.find(number)).rejects.toMatchObject({ code: 'unavailable' });
});

test.for(ids)('%s: a number that is none never leaves the server', async (id) => {
  await using t = await openPayments();
  await expect(t.provider(id).find('../certificates?x=')).rejects.toThrow('not a payment or refund number');
});
