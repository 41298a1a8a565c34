import { z } from 'zod';
import { beijingText, parseBeijingText } from '../beijing-time.ts';
import { fenOf, yuanText } from '../fen.ts';
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
import { fetchAlipayBill } from './alipay-bill.ts';
import { readAlipayNotification } from './alipay-notification.ts';
import { callAlipay, type AlipayDeps } from './call-alipay.ts';

const MAX_TEXT_BYTES = 127;
const NOT_THERE = 'ACQ.TRADE_NOT_EXIST';

const Amount = z.string().transform((text, context) => {
  const fen = fenOf(text);
  if (fen === undefined) context.addIssue('not an amount');
  return fen ?? 0;
});
const Time = z.string().transform((text, context) => {
  const time = parseBeijingText(text);
  if (time === undefined) context.addIssue('not a time');
  return time ?? new Date(0);
});

const Precreated = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1) });
const Trade = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: Amount,
  send_pay_date: Time.optional(),
});
const Refunded = z.object({ out_trade_no: z.string(), fund_change: z.string().default('N') });
const RefundQuery = z.object({ refund_status: z.string().default('') });

/** Alipay 当面付: a code that the buyer scans (alipay.trade.precreate), in public key mode with RSA2. */
export function createAlipayProvider(deps: AlipayDeps & { notifyUrl: string }): PaymentProvider {
  return {
    id: 'alipay',
    create: async (payment) => await createPayment(deps, payment),
    find: async (number) => await findPayment(deps, number),
    close: async (number) => await closePayment(deps, number),
    refund: async (refund) => await refundPayment(deps, refund),
    findRefund: async (refund) => await findRefund(deps, refund),
    readNotification: async (request) => readAlipayNotification(deps, request),
    // Alipay reads nothing but this word.
    notificationReply: ({ isReceived }) => ({
      status: 200,
      contentType: 'text/plain',
      body: isReceived ? 'success' : 'fail',
    }),
    bill: async (day) => await fetchAlipayBill(deps, day),
  };
}

const createRefusals: Record<string, ProviderErrorCode> = {
  'ACQ.TRADE_HAS_SUCCESS': 'already-paid',
  'ACQ.TRADE_HAS_FINISHED': 'already-paid',
  'ACQ.TRADE_HAS_CLOSE': 'closed',
};

async function createPayment(deps: AlipayDeps & { notifyUrl: string }, payment: NewPayment): Promise<PaymentQr> {
  assertPaymentNumber(payment.number);
  const result = await callAlipay(deps, {
    method: 'alipay.trade.precreate',
    content: {
      out_trade_no: payment.number,
      total_amount: yuanText(payment.amountFen),
      subject: shortText(payment.subject, MAX_TEXT_BYTES),
      time_expire: beijingText(payment.expiresAt),
    },
    notifyUrl: deps.notifyUrl,
    reply: Precreated,
  });
  if ('refusal' in result) throw refused(result, createRefusals);
  assertNumber(payment.number, result.value.out_trade_no);
  return { qrText: result.value.qr_code, qrExpiresAt: qrExpiry(payment, deps.channel.clock) };
}

async function findPayment(deps: AlipayDeps, number: string): Promise<ProviderPayment> {
  assertPaymentNumber(number);
  const result = await callAlipay(deps, {
    method: 'alipay.trade.query',
    content: { out_trade_no: number },
    reply: Trade,
  });
  if ('refusal' in result) {
    if (result.refusal === NOT_THERE) return { state: 'absent' };
    throw refused(result, {});
  }
  const trade = result.value;
  assertNumber(number, trade.out_trade_no);
  if (trade.trade_status === 'WAIT_BUYER_PAY') return { state: 'waiting' };
  const isClosed = trade.trade_status === 'TRADE_CLOSED';
  const paidAt = trade.send_pay_date;
  // A trade is closed because nobody has paid it, or because all that was paid has been refunded.
  if (isClosed && paidAt === undefined) return { state: 'closed' };
  if (paidAt === undefined) throw new PaymentProviderError('alipay', 'unavailable', 'a paid trade without its time');
  return {
    state: 'paid',
    transactionId: trade.trade_no,
    amountFen: trade.total_amount,
    paidAt,
    hasRefund: isClosed,
  };
}

/**
 * NOTE: alipay.trade.cancel would also end a code that nobody has scanned. It is not used, because it refunds a trade that
 * was paid in between, without a refund number of ours: money would move that no order knows of.
 */
async function closePayment(deps: AlipayDeps, number: string): Promise<void> {
  assertPaymentNumber(number);
  const result = await callAlipay(deps, {
    method: 'alipay.trade.close',
    content: { out_trade_no: number },
    reply: z.object({}),
  });
  if (!('refusal' in result) || result.refusal === NOT_THERE) return;
  // ACQ.TRADE_STATUS_ERROR does not say which state: paid, or closed before.
  const { state } = await findPayment(deps, number);
  if (state === 'closed') return;
  throw state === 'paid' ? refused(result, { [result.refusal]: 'already-paid' }) : refused(result, {});
}

async function refundPayment(deps: AlipayDeps, refund: NewRefund): Promise<RefundState> {
  assertPaymentNumber(refund.number);
  const result = await callAlipay(deps, {
    method: 'alipay.trade.refund',
    content: {
      out_trade_no: refund.paymentNumber,
      out_request_no: refund.number,
      refund_amount: yuanText(refund.amountFen),
      refund_reason: shortText(refund.reason, MAX_TEXT_BYTES),
    },
    reply: Refunded,
  });
  if ('refusal' in result) throw refused(result, { 'ACQ.SELLER_BALANCE_NOT_ENOUGH': 'insufficient-balance' });
  assertNumber(refund.paymentNumber, result.value.out_trade_no);
  if (result.value.fund_change === 'Y') return 'done';
  // N: this call has moved nothing. The refund was done by an earlier call, or is in progress.
  const state = await findRefund(deps, refund);
  return state === 'absent' ? 'pending' : state;
}

async function findRefund(
  deps: AlipayDeps,
  { number, paymentNumber }: { number: string; paymentNumber: string },
): Promise<RefundState | 'absent'> {
  assertPaymentNumber(number);
  const result = await callAlipay(deps, {
    method: 'alipay.trade.fastpay.refund.query',
    content: { out_trade_no: paymentNumber, out_request_no: number },
    reply: RefundQuery,
  });
  if ('refusal' in result) {
    if (result.refusal === NOT_THERE) return 'absent';
    throw refused(result, {});
  }
  // Any other status, or none, means that Alipay has not done it: sending it again with its number is right.
  return result.value.refund_status === 'REFUND_SUCCESS' ? 'done' : 'absent';
}

type Refusal = { refusal: string; detail: string };

function refused({ refusal, detail }: Refusal, codes: Record<string, ProviderErrorCode>): PaymentProviderError {
  const code = Object.hasOwn(codes, refusal) ? codes[refusal] : undefined;
  return new PaymentProviderError('alipay', code ?? 'refused', detail);
}

function assertNumber(asked: string, answered: string): void {
  if (asked !== answered) throw new PaymentProviderError('alipay', 'unavailable', 'a reply about another payment');
}
