import { createHash, randomBytes } from 'node:crypto';
import { type FakeAccount, type FakePayment, type FakeRefund, type FakeTrade, refundedFen } from '../fake-account.ts';
import type { FakeBehaviour } from '../fake-behaviour.ts';
import type { FakeNotification, FakeReply, FakeRequest } from '../fake-http.ts';
import type { FakeKeys } from '../fake-keys.ts';
import { wechatBill } from './fake-wechat-bill.ts';
import { isoText, isSigned, seal, signed } from './fake-wechat-text.ts';

export type FakeWechatPay = {
  keys: FakeKeys['wechat'];
  account: FakeAccount;
  behaviour: FakeBehaviour;
  /** With which key notifications are signed; replies use the one that the request names. */
  signsWith: () => 'public-key' | 'certificate';
  url: () => string;
  now: () => number;
  /** Called when a refund has ended, after its reply. */
  onRefund: (trade: FakeTrade, refund: FakeRefund) => void;
};

type Answer = { status: number; content: object | undefined };
type Content = {
  mchid?: string;
  appid?: string;
  out_trade_no?: string;
  out_refund_no?: string;
  description?: string;
  notify_url?: string;
  time_expire?: string;
  amount?: { total?: number; refund?: number; currency?: string };
};

const FRESH_SECONDS = 300;
const BILL_PATH = '/v3/billdownload/file';

/** The API v3, with the replies and errors that WeChat Pay documents. */
export function answerWechat(fake: FakeWechatPay, request: FakeRequest): FakeReply | undefined {
  if (!request.url.pathname.startsWith('/v3/')) return undefined;
  const error = findRequestError(fake, request);
  if (error !== undefined) return { ...jsonReply(error.status, JSON.stringify(error.content)) };
  if (request.url.pathname === BILL_PATH) return answerBill(fake, request.url.searchParams.get('token') ?? '');
  const { status, content } = answerCall(fake, request);
  return signedReply(fake, request, status, content === undefined ? '' : JSON.stringify(content));
}

function jsonReply(status: number, body: string): FakeReply {
  return { status, contentType: 'application/json; charset=utf-8', body };
}

function signedReply(fake: FakeWechatPay, request: FakeRequest, status: number, body: string): FakeReply {
  const usesPublicKey = request.headers['wechatpay-serial'] === fake.keys.publicKeyId;
  return { ...jsonReply(status, body), headers: signature(fake, usesPublicKey ? 'public-key' : 'certificate', body) };
}

function signature(
  { keys, behaviour, now }: FakeWechatPay,
  by: 'public-key' | 'certificate',
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const right = by === 'public-key' ? keys.provider.privateKey : keys.platform.privateKey;
  const key = behaviour.fault === 'wrong-signature' ? keys.merchant.privateKey : right;
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': by === 'public-key' ? keys.publicKeyId : keys.platform.serial,
    'wechatpay-signature': signed(key, `${timestamp}\n${nonce}\n${body}\n`),
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  };
}

function findRequestError(
  { keys, now }: FakeWechatPay,
  { method, url, headers, body }: FakeRequest,
): Answer | undefined {
  const [scheme, text = ''] = (headers.authorization ?? '').split(/ (.*)/s);
  const fields = Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const { mchid, serial_no: serial, timestamp = '', nonce_str: nonce = '', signature: given = '' } = fields;
  const refusal = (message: string): Answer => failed(401, 'SIGN_ERROR', message);
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048') return refusal('Http头Authorization认证类型不正确');
  if (mchid !== keys.merchantId || serial !== keys.merchantSerial) return refusal('商户证书序列号有误');
  if (!(Math.abs(Number(timestamp) - now() / 1000) <= FRESH_SECONDS))
    return refusal('Http头Authorization中的timestamp已过期');
  const lines = [method, url.pathname + url.search, timestamp, nonce, body.toString()];
  const toSign = lines.map((line) => `${line}\n`).join('');
  if (!isSigned(keys.merchant.publicKey, toSign, given)) return refusal('签名错误');
  if (!headers['user-agent'] || !headers.accept) return failed(400, 'PARAM_ERROR', '缺少 User-Agent 或 Accept');
  return undefined;
}

function failed(status: number, code: string, message: string): Answer {
  return { status, content: { code, message } };
}

const noOrder = failed(404, 'ORDER_NOT_EXIST', '订单不存在');

function answerCall(fake: FakeWechatPay, { method, url, body }: FakeRequest): Answer {
  const content = (body.length > 0 ? JSON.parse(body.toString()) : {}) as Content; // trusted, because its signature is valid
  const [, number = '', action] = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(url.pathname) ?? [];
  const [, refundNumber] = /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/.exec(url.pathname) ?? [];
  const call = `${method} ${url.pathname}`;
  if (call === 'POST /v3/pay/transactions/native') return create(fake, content);
  if (number !== '' && action !== undefined && method === 'POST') return close(fake, number, content);
  if (number !== '' && method === 'GET') return query(fake, number, url.searchParams.get('mchid'));
  if (call === 'POST /v3/refund/domestic/refunds') return refund(fake, content);
  if (refundNumber !== undefined && method === 'GET') return queryRefund(fake, refundNumber);
  if (call === 'GET /v3/certificates') return certificates(fake);
  if (call === 'GET /v3/bill/tradebill') return billOf(fake, url.searchParams.get('bill_date') ?? '');
  return failed(404, 'RESOURCE_NOT_EXISTS', '请求的资源不存在');
}

function create({ account, keys, url }: FakeWechatPay, content: Content): Answer {
  const { out_trade_no: number = '', description: subject = '', notify_url: notifyUrl = '', amount } = content;
  const amountFen = amount?.total ?? 0;
  if (content.appid !== keys.appId || content.mchid !== keys.merchantId) {
    return failed(400, 'APPID_MCHID_NOT_MATCH', 'AppID和mch_id不匹配');
  }
  const isValid = /^[\w\-|*]{6,32}$/.test(number) && Number.isInteger(amountFen) && amountFen > 0 && subject.length > 0;
  if (!isValid || notifyUrl.includes('?') || subject.length > 127) return failed(400, 'PARAM_ERROR', '参数错误');
  const known = account.find(number);
  if (known) {
    const state = account.stateOf(known);
    if (state === 'paid') return failed(400, 'INVALID_REQUEST', '该订单已支付');
    if (state === 'closed') return failed(400, 'ORDER_CLOSED', '该订单已关闭');
    if (known.amountFen !== amountFen) return failed(403, 'OUT_TRADE_NO_USED', '商户订单号重复');
  }
  const expiresAt = new Date(content.time_expire ?? '');
  const trade = known ?? account.create({ number, amountFen, subject, notifyUrl, expiresAt });
  return { status: 200, content: { code_url: `${url()}/pay/wechat/${trade.token}` } };
}

const tradeStates = { waiting: 'NOTPAY', closed: 'CLOSED' } as const;

function transaction({ account, keys }: FakeWechatPay, trade: FakeTrade, payment: FakePayment | undefined): object {
  const common = {
    appid: keys.appId,
    mchid: keys.merchantId,
    out_trade_no: trade.number,
    trade_type: 'NATIVE',
    attach: '',
  };
  const state = account.stateOf(trade);
  if (!payment || state !== 'paid') {
    const trade_state = state === 'paid' ? 'SUCCESS' : tradeStates[state];
    return { ...common, trade_state, amount: { total: trade.amountFen, currency: 'CNY' } };
  }
  return {
    ...common,
    transaction_id: payment.transactionId,
    trade_state: trade.refunds.length > 0 ? 'REFUND' : 'SUCCESS',
    trade_state_desc: '支付成功',
    bank_type: 'OTHERS',
    success_time: isoText(payment.paidAt),
    payer: { openid: 'oFakeBuyer' },
    amount: { total: payment.amountFen, payer_total: payment.amountFen, currency: 'CNY', payer_currency: 'CNY' },
  };
}

function query(fake: FakeWechatPay, number: string, mchid: string | null): Answer {
  const trade = fake.account.find(number);
  if (mchid !== fake.keys.merchantId) return failed(400, 'PARAM_ERROR', '商户号不正确');
  return trade ? { status: 200, content: transaction(fake, trade, trade.payments[0]) } : noOrder;
}

function close({ account, keys }: FakeWechatPay, number: string, content: Content): Answer {
  const trade = account.find(number);
  if (content.mchid !== keys.merchantId) return failed(400, 'PARAM_ERROR', '商户号不正确');
  if (!trade) return noOrder;
  const state = account.stateOf(trade);
  if (state === 'paid') return failed(400, 'ORDERPAID', '订单已支付');
  if (state === 'closed') return failed(400, 'ORDER_CLOSED', '订单已关闭');
  trade.isClosed = true;
  return { status: 204, content: undefined };
}

const refundStatus = { done: 'SUCCESS', pending: 'PROCESSING', failed: 'ABNORMAL' } as const;

function refundContent({ keys }: FakeWechatPay, trade: FakeTrade, refund: FakeRefund): object {
  return {
    mchid: keys.merchantId,
    refund_id: refund.id,
    out_refund_no: refund.number,
    transaction_id: trade.payments[0]?.transactionId,
    out_trade_no: trade.number,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    create_time: isoText(refund.createdAt),
    amount: { total: trade.payments[0]?.amountFen, refund: refund.amountFen, currency: 'CNY' },
  };
}

function refund(fake: FakeWechatPay, content: Content): Answer {
  const trade = fake.account.find(content.out_trade_no ?? '');
  const { out_refund_no: number = '', amount: { refund: amountFen = 0, total = 0 } = {} } = content;
  const [payment] = trade?.payments ?? [];
  if (!trade || !payment) return failed(404, 'RESOURCE_NOT_EXISTS', '订单号不存在');
  const reply = (one: FakeRefund): Answer => {
    return { status: 200, content: { ...refundContent(fake, trade, one), status: refundStatus[one.state] } };
  };
  const known = trade.refunds.find((one) => one.number === number);
  if (known?.amountFen === amountFen) return reply(known);
  if (known) return failed(400, 'INVALID_REQUEST', '订单金额或退款金额与之前请求不一致');
  if (total !== payment.amountFen) return failed(400, 'PARAM_ERROR', '订单总金额不一致');
  if (refundedFen(trade) + amountFen > payment.amountFen) return failed(400, 'INVALID_REQUEST', '退款金额大于支付金额');
  if (fake.behaviour.refunds === 'no-balance') return failed(403, 'NOT_ENOUGH', '商户可用退款余额不足');
  const added = fake.account.addRefund(trade, { number, amountFen, state: fake.behaviour.refunds });
  if (added.state !== 'pending') fake.onRefund(trade, added);
  return reply(added);
}

function queryRefund(fake: FakeWechatPay, number: string): Answer {
  for (const trade of fake.account.list()) {
    const found = trade.refunds.find((one) => one.number === number);
    if (found)
      return { status: 200, content: { ...refundContent(fake, trade, found), status: refundStatus[found.state] } };
  }
  return failed(404, 'RESOURCE_NOT_EXISTS', '退款单不存在');
}

function certificates({ keys }: FakeWechatPay): Answer {
  const { certificate, serial } = keys.platform;
  const data = [{ serial_no: serial, encrypt_certificate: seal(keys.apiV3Key, certificate, 'certificate') }];
  return { status: 200, content: { data } };
}

function billOf({ account, behaviour, keys, url }: FakeWechatPay, day: string): Answer {
  if (!behaviour.isBillReady) return failed(400, 'STATEMENT_CREATING', '账单生成中');
  const bill = wechatBill(account.list(), day, keys);
  if (bill === undefined) return failed(400, 'NO_STATEMENT_EXIST', '账单文件不存在');
  const hash_value = createHash('sha1').update(bill).digest('hex');
  return { status: 200, content: { hash_type: 'SHA1', hash_value, download_url: `${url()}${BILL_PATH}?token=${day}` } };
}

function answerBill({ account, keys }: FakeWechatPay, day: string): FakeReply {
  const bill = wechatBill(account.list(), day, keys);
  return { status: bill === undefined ? 404 : 200, contentType: 'text/plain', body: bill ?? '' };
}

/** What WeChat Pay reports of a payment. `changes` overwrites fields before they are encrypted. */
export function paymentNotification(
  fake: FakeWechatPay,
  trade: FakeTrade,
  payment: FakePayment,
  changes: object = {},
): FakeNotification {
  const resource = { ...transaction(fake, trade, payment), trade_state: 'SUCCESS', ...changes };
  return notification(fake, trade, { event: 'TRANSACTION.SUCCESS', type: 'transaction', resource });
}

const refundEvents = { done: 'REFUND.SUCCESS', pending: 'REFUND.PROCESSING', failed: 'REFUND.ABNORMAL' } as const;

export function refundNotification(fake: FakeWechatPay, trade: FakeTrade, refund: FakeRefund): FakeNotification {
  const resource = { ...refundContent(fake, trade, refund), refund_status: refundStatus[refund.state] };
  return notification(fake, trade, { event: refundEvents[refund.state], type: 'refund', resource });
}

function notification(
  fake: FakeWechatPay,
  trade: FakeTrade,
  { event, type, resource }: { event: string; type: string; resource: object },
): FakeNotification {
  const content = {
    id: randomBytes(16).toString('hex'),
    create_time: isoText(new Date(fake.now())),
    resource_type: 'encrypt-resource',
    event_type: event,
    summary: event,
    resource: { original_type: type, ...seal(fake.keys.apiV3Key, JSON.stringify(resource), type) },
  };
  const body = JSON.stringify(content);
  const headers = { ...signature(fake, fake.signsWith(), body), 'content-type': 'application/json' };
  return { url: trade.notifyUrl, headers, rawBody: Buffer.from(body) };
}
