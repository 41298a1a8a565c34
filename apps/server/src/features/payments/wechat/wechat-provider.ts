import { z } from 'zod';
import { beijingIsoText } from '../beijing-time.ts';
import { assertPaymentNumber } from '../payment-number.ts';
import type {
  NewPayment,
  NewRefund,
  PaymentProvider,
  PaymentQr,
  ProviderPayment,
  RefundState,
} from '../payment-provider.ts';
import { PaymentProviderError, type ProviderErrorCode } from '../provider-error.ts';
import { qrExpiry } from '../qr-expiry.ts';
import { shortText } from '../short-text.ts';
import { fetchWechatBill } from './wechat-bill.ts';
import type { WechatChannel } from './wechat-channel.ts';
import { paymentOf, RefundStatus, refundStates, Transaction } from './wechat-messages.ts';
import { readWechatNotification } from './wechat-notification.ts';

export type WechatDeps = { channel: WechatChannel; notifyUrl: string };

const MAX_DESCRIPTION_BYTES = 127;
const MAX_REASON_BYTES = 80;
const PATH = '/v3/pay/transactions';
const REFUNDS_PATH = '/v3/refund/domestic/refunds';
const NOT_THERE = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS']);

const Refund = z.object({ out_refund_no: z.string(), out_trade_no: z.string(), status: RefundStatus });

/** WeChat Pay v3, Native: a code that the buyer scans. */
export function createWechatProvider(deps: WechatDeps): PaymentProvider {
  const { channel } = deps;
  return {
    id: 'wechat',
    create: async (payment) => await createPayment(deps, payment),
    find: async (number) => await findPayment(channel, number),
    close: async (number) => await closePayment(channel, number),
    refund: async (refund) => await refundPayment(deps, refund),
    findRefund: async (refund) => await findRefund(channel, refund),
    readNotification: async (request) => await readWechatNotification(channel, request),
    notificationReply: ({ isReceived }) => ({
      status: isReceived ? 200 : 500,
      contentType: 'application/json',
      body: JSON.stringify(isReceived ? { code: 'SUCCESS', message: '成功' } : { code: 'FAIL', message: '失败' }),
    }),
    bill: async (day) => await fetchWechatBill(channel, day),
  };
}

async function createPayment({ channel, notifyUrl }: WechatDeps, payment: NewPayment): Promise<PaymentQr> {
  assertPaymentNumber(payment.number);
  const { appId, merchantId } = channel.config;
  const result = await channel.call({
    method: 'POST',
    path: `${PATH}/native`,
    content: {
      appid: appId,
      mchid: merchantId,
      description: shortText(payment.subject, MAX_DESCRIPTION_BYTES),
      out_trade_no: payment.number,
      time_expire: beijingIsoText(payment.expiresAt),
      notify_url: notifyUrl,
      amount: { total: payment.amountFen, currency: 'CNY' },
    },
    reply: z.object({ code_url: z.string().min(1) }),
  });
  if ('refusal' in result) throw await endedOrRefused(channel, payment.number, result);
  return { qrText: result.value.code_url, qrExpiresAt: qrExpiry(payment, channel.clock) };
}

async function findPayment(channel: WechatChannel, number: string): Promise<ProviderPayment> {
  assertPaymentNumber(number);
  const { merchantId } = channel.config;
  const path = `${PATH}/out-trade-no/${number}?mchid=${encodeURIComponent(merchantId)}`;
  const result = await channel.call({ method: 'GET', path, reply: Transaction });
  if ('refusal' in result) {
    if (NOT_THERE.has(result.refusal)) return { state: 'absent' };
    throw refused(result, {});
  }
  const { mchid, out_trade_no: answered } = result.value;
  if (mchid !== merchantId || answered !== number) throw otherPayment();
  return paymentOf(result.value);
}

async function closePayment(channel: WechatChannel, number: string): Promise<void> {
  assertPaymentNumber(number);
  const result = await channel.call({
    method: 'POST',
    path: `${PATH}/out-trade-no/${number}/close`,
    content: { mchid: channel.config.merchantId },
    reply: z.object({}),
  });
  if (!('refusal' in result) || NOT_THERE.has(result.refusal)) return;
  const error = await endedOrRefused(channel, number, result);
  if (error.code !== 'closed') throw error;
}

/** WeChat Pay's codes for a payment that has ended differ from call to call, so its state is asked for. */
async function endedOrRefused(channel: WechatChannel, number: string, refusal: Refusal): Promise<PaymentProviderError> {
  const { state } = await findPayment(channel, number);
  if (state === 'paid') return refused(refusal, { [refusal.refusal]: 'already-paid' });
  return refused(refusal, state === 'closed' ? { [refusal.refusal]: 'closed' } : {});
}

async function refundPayment({ channel, notifyUrl }: WechatDeps, refund: NewRefund): Promise<RefundState> {
  assertPaymentNumber(refund.number);
  const result = await channel.call({
    method: 'POST',
    path: REFUNDS_PATH,
    content: {
      out_trade_no: refund.paymentNumber,
      out_refund_no: refund.number,
      reason: shortText(refund.reason, MAX_REASON_BYTES),
      notify_url: notifyUrl,
      amount: { refund: refund.amountFen, total: refund.totalFen, currency: 'CNY' },
    },
    reply: Refund,
  });
  if ('refusal' in result) throw refused(result, { NOT_ENOUGH: 'insufficient-balance' });
  return stateOf(refund, result.value);
}

async function findRefund(
  channel: WechatChannel,
  refund: { number: string; paymentNumber: string },
): Promise<RefundState | 'absent'> {
  assertPaymentNumber(refund.number);
  const result = await channel.call({ method: 'GET', path: `${REFUNDS_PATH}/${refund.number}`, reply: Refund });
  if ('refusal' in result) {
    if (NOT_THERE.has(result.refusal)) return 'absent';
    throw refused(result, {});
  }
  return stateOf(refund, result.value);
}

function stateOf(asked: { number: string; paymentNumber: string }, refund: z.output<typeof Refund>): RefundState {
  if (refund.out_refund_no !== asked.number || refund.out_trade_no !== asked.paymentNumber) throw otherPayment();
  return refundStates[refund.status];
}

type Refusal = { refusal: string; detail: string };

function refused({ refusal, detail }: Refusal, codes: Record<string, ProviderErrorCode>): PaymentProviderError {
  const code = Object.hasOwn(codes, refusal) ? codes[refusal] : undefined;
  return new PaymentProviderError('wechat', code ?? 'refused', detail);
}

function otherPayment(): PaymentProviderError {
  return new PaymentProviderError('wechat', 'unavailable', 'a reply about another payment');
}
