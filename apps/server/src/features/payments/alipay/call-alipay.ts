import { parseJson } from '@tongtu/base';
import { z } from 'zod';
import { beijingText } from '../beijing-time.ts';
import { exchange, type Channel } from '../exchange.ts';
import type { AlipayConfig } from '../payment-config.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { isRsa2Valid, signedText, signRsa2 } from './alipay-signature.ts';
import { objectText } from './object-text.ts';

export type AlipayDeps = { config: AlipayConfig; channel: Channel };

type AlipayCall<Schema> = {
  /** For example `alipay.trade.query`. */
  method: string;
  content: object;
  notifyUrl?: string;
  reply: Schema;
};

/** `refusal` is Alipay's sub_code, such as `ACQ.TRADE_NOT_EXIST`. */
type AlipayResult<Value> = { value: Value } | { refusal: string; detail: string };

const Outcome = z.object({
  code: z.string(),
  msg: z.string().default(''),
  sub_code: z.string().default(''),
  sub_msg: z.string().default(''),
});
type Outcome = z.output<typeof Outcome>;

const DONE = '10000';
const BUSINESS_FAILURE = '40004';
const SERVICE_UNAVAILABLE = '20000';
/** Alipay does not know itself what has happened, or asks to try again. */
const UNKNOWN_OUTCOME = /SYSTEM_ERROR$|^isp\.unknow|^aop\.|call-limited$|AOP\.ApiCallTimeout/;

/**
 * Calls Alipay's gateway. A business refusal is a result; anything else that is not a success, and a reply without
 * Alipay's signature, is thrown as PaymentProviderError.
 */
export async function callAlipay<Schema extends z.ZodType>(
  { config, channel }: AlipayDeps,
  { method, content, notifyUrl, reply }: AlipayCall<Schema>,
): Promise<AlipayResult<z.output<Schema>>> {
  const url = signedUrl(config, { method, content, notifyUrl, at: new Date(channel.clock.now()) });
  const response = await exchange(channel, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', accept: 'application/json' },
    body: new URLSearchParams({ biz_content: JSON.stringify(content) }).toString(),
  });
  const { outcome, text, isSigned } = readReply(config, method, response.body.toString());
  if (outcome === undefined) throw unavailable(`${method}: an unreadable reply with status ${response.status}`);
  const detail = `${method}: ${outcome.code} ${outcome.msg} ${outcome.sub_code} ${outcome.sub_msg}`;
  if (outcome.code !== DONE && outcome.code !== BUSINESS_FAILURE) throw errorOf(outcome, detail);
  if (!isSigned) throw unavailable(`${method}: the reply is not signed by Alipay`);
  if (outcome.code === BUSINESS_FAILURE) {
    if (UNKNOWN_OUTCOME.test(outcome.sub_code)) throw unavailable(detail);
    return { refusal: outcome.sub_code, detail };
  }
  const value = reply.safeParse(parseJson(text));
  if (!value.success) throw unavailable(`${method}: a reply in another form`, value.error);
  return { value: value.data };
}

type SignedUrl = { method: string; content: object; notifyUrl: string | undefined; at: Date };

/** Everything but `biz_content` goes into the URL, as Alipay's own libraries do. */
function signedUrl(config: AlipayConfig, { method, content, notifyUrl, at }: SignedUrl): URL {
  const parameters = {
    app_id: config.appId,
    method,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    timestamp: beijingText(at),
    version: '1.0',
    ...(notifyUrl !== undefined && { notify_url: notifyUrl }),
  };
  const toSign = signedText(Object.entries({ ...parameters, biz_content: JSON.stringify(content) }));
  const url = new URL(config.gatewayUrl);
  url.search = new URLSearchParams({ ...parameters, sign: signRsa2(config.privateKey, toSign) }).toString();
  return url;
}

type ReadReply = { outcome: Outcome | undefined; text: string; isSigned: boolean };

function readReply({ alipayPublicKey }: AlipayConfig, method: string, json: string): ReadReply {
  const own = objectText(json, `${method.replaceAll('.', '_')}_response`);
  const text = own ?? objectText(json, 'error_response') ?? '';
  const signature = z.object({ sign: z.string() }).safeParse(parseJson(json)).data?.sign;
  return {
    outcome: Outcome.safeParse(parseJson(text)).data,
    text,
    isSigned: own !== undefined && signature !== undefined && isRsa2Valid(alipayPublicKey, text, signature),
  };
}

function errorOf({ code, sub_code: subCode }: Outcome, detail: string): PaymentProviderError {
  if (code === SERVICE_UNAVAILABLE || UNKNOWN_OUTCOME.test(subCode)) return unavailable(detail);
  return new PaymentProviderError('alipay', 'refused', detail);
}

function unavailable(detail: string, cause?: unknown): PaymentProviderError {
  return new PaymentProviderError('alipay', 'unavailable', detail, { cause });
}
