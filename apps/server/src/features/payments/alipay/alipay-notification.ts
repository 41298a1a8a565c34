import { z } from 'zod';
import { parseBeijingText } from '../beijing-time.ts';
import { fenOf } from '../fen.ts';
import type { NotificationRequest, PaymentNotification } from '../payment-provider.ts';
import { NotificationRefused } from '../provider-error.ts';
import { isRsa2Valid, signedText } from './alipay-signature.ts';
import type { AlipayDeps } from './call-alipay.ts';

const MAX_BYTES = 64 * 1024;
const AHEAD_MS = 5 * 60_000;
/** Alipay repeats a notification for 25 hours, and its documents do not say that the repeats have a new time. */
const OLD_MS = 26 * 3_600_000;

const Trade = z.object({
  app_id: z.string(),
  seller_id: z.string(),
  notify_time: z.string(),
  trade_status: z.string(),
  out_trade_no: z.string().min(1),
  trade_no: z.string().min(1),
  total_amount: z.string(),
  gmt_payment: z.string().optional(),
  gmt_refund: z.string().optional(),
  /** The number of the refund. */
  out_biz_no: z.string().optional(),
});

/** Reads a form of Alipay's (异步通知). Throws NotificationRefused. */
export function readAlipayNotification(
  { config, channel }: AlipayDeps,
  { rawBody }: NotificationRequest,
): PaymentNotification | null {
  if (rawBody.length > MAX_BYTES) throw new NotificationRefused('alipay', 'too-large');
  const parameters = readForm(rawBody);
  const { sign = '', sign_type: signType, ...signed } = Object.fromEntries(parameters);
  // The sender must not choose the algorithm: RSA would mean SHA-1.
  if (signType !== 'RSA2') throw new NotificationRefused('alipay', 'signature');
  if (!isRsa2Valid(config.alipayPublicKey, signedText(Object.entries(signed)), sign)) {
    throw new NotificationRefused('alipay', 'signature');
  }
  const trade = Trade.safeParse(signed).data;
  if (trade === undefined) throw new NotificationRefused('alipay', 'malformed');
  if (trade.app_id !== config.appId) throw new NotificationRefused('alipay', 'app');
  if (trade.seller_id !== config.sellerId) throw new NotificationRefused('alipay', 'merchant');
  assertFresh(trade.notify_time, channel.clock.now());
  return notificationOf(trade);
}

function readForm(rawBody: Buffer): Map<string, string> {
  const pairs = [...new URLSearchParams(rawBody.toString())];
  const parameters = new Map(pairs);
  // Two values for one name: the signature could have been made for the other one.
  if (parameters.size !== pairs.length) throw new NotificationRefused('alipay', 'malformed');
  return parameters;
}

function assertFresh(text: string, nowAtAlipayMs: number): void {
  const sentAtMs = parseBeijingText(text)?.getTime();
  if (sentAtMs === undefined) throw new NotificationRefused('alipay', 'malformed');
  if (sentAtMs > nowAtAlipayMs + AHEAD_MS || sentAtMs < nowAtAlipayMs - OLD_MS) {
    throw new NotificationRefused('alipay', 'time');
  }
}

function notificationOf(trade: z.output<typeof Trade>): PaymentNotification | null {
  const paymentNumber = trade.out_trade_no;
  if (trade.gmt_refund !== undefined) {
    // A refund in Alipay's own console has no number of ours.
    if (trade.out_biz_no === undefined) return null;
    return { type: 'refund', paymentNumber, refundNumber: trade.out_biz_no, state: 'done' };
  }
  // TRADE_FINISHED comes when the time for refunds is over. WAIT_BUYER_PAY and TRADE_CLOSED move no money.
  if (trade.trade_status !== 'TRADE_SUCCESS' && trade.trade_status !== 'TRADE_FINISHED') return null;
  const amountFen = fenOf(trade.total_amount);
  const paidAt = parseBeijingText(trade.gmt_payment ?? '');
  if (amountFen === undefined || paidAt === undefined) throw new NotificationRefused('alipay', 'malformed');
  return { type: 'paid', paymentNumber, transactionId: trade.trade_no, amountFen, paidAt };
}
