import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '@tongtu/base';
import { z } from 'zod';
import type { NotificationRequest, PaymentNotification } from '../payment-provider.ts';
import { NotificationRefused } from '../provider-error.ts';
import { openResource, SealedResource } from './open-resource.ts';
import { FRESH_MS, type WechatChannel } from './wechat-channel.ts';
import { paymentOf, RefundStatus, refundStates, Transaction } from './wechat-messages.ts';
import { isMessageValid } from './wechat-signature.ts';

const MAX_BYTES = 64 * 1024;

const Envelope = z.object({ event_type: z.string(), resource: SealedResource });
const RefundResource = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_status: RefundStatus,
});

/** Reads a notification of API v3. Throws NotificationRefused, or PaymentProviderError when its key cannot be fetched. */
export async function readWechatNotification(
  channel: WechatChannel,
  { headers, rawBody }: NotificationRequest,
): Promise<PaymentNotification | null> {
  if (rawBody.length > MAX_BYTES) throw new NotificationRefused('wechat', 'too-large');
  await assertSigned(channel, headers, rawBody);
  const envelope = Envelope.safeParse(parseJson(rawBody.toString())).data;
  if (envelope === undefined) throw new NotificationRefused('wechat', 'malformed');
  const resource = parseJson(open(channel, envelope.resource));
  if (envelope.event_type === 'TRANSACTION.SUCCESS') return readTransaction(channel, resource);
  if (envelope.event_type.startsWith('REFUND.')) return readRefund(channel, resource);
  return null;
}

async function assertSigned(channel: WechatChannel, headers: IncomingHttpHeaders, body: Buffer): Promise<void> {
  const timestamp = headerOf(headers, 'wechatpay-timestamp');
  // Before the key is looked for, which may take a call to WeChat Pay.
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotificationRefused('wechat', 'malformed');
  if (Math.abs(Number(timestamp) * 1000 - channel.clock.now()) > FRESH_MS)
    throw new NotificationRefused('wechat', 'time');
  const key = await channel.keys.find(headerOf(headers, 'wechatpay-serial'), channel.clock.now());
  if (!key) throw new NotificationRefused('wechat', 'unknown-key');
  const nonce = headerOf(headers, 'wechatpay-nonce');
  const signature = headerOf(headers, 'wechatpay-signature');
  if (!isMessageValid(key, { timestamp, nonce, body, signature })) throw new NotificationRefused('wechat', 'signature');
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new NotificationRefused('wechat', 'malformed');
  return value;
}

function open({ config }: WechatChannel, sealed: z.output<typeof SealedResource>): string {
  try {
    return openResource(config.apiV3Key, sealed);
  } catch (cause) {
    throw new NotificationRefused('wechat', 'decryption', { cause });
  }
}

function readTransaction({ config }: WechatChannel, resource: unknown): PaymentNotification | null {
  const transaction = Transaction.safeParse(resource).data;
  if (transaction === undefined) throw new NotificationRefused('wechat', 'malformed');
  if (transaction.mchid !== config.merchantId) throw new NotificationRefused('wechat', 'merchant');
  if (transaction.appid !== config.appId) throw new NotificationRefused('wechat', 'app');
  const payment = paymentOf(transaction);
  if (payment.state !== 'paid') return null;
  const { transactionId, amountFen, paidAt } = payment;
  return { type: 'paid', paymentNumber: transaction.out_trade_no, transactionId, amountFen, paidAt };
}

/** A refund's notification does not name the app. */
function readRefund({ config }: WechatChannel, resource: unknown): PaymentNotification {
  const refund = RefundResource.safeParse(resource).data;
  if (refund === undefined) throw new NotificationRefused('wechat', 'malformed');
  if (refund.mchid !== config.merchantId) throw new NotificationRefused('wechat', 'merchant');
  return {
    type: 'refund',
    paymentNumber: refund.out_trade_no,
    refundNumber: refund.out_refund_no,
    state: refundStates[refund.refund_status],
  };
}
