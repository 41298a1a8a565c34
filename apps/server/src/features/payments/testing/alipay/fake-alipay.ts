import { randomBytes } from 'node:crypto';
import { type FakeAccount, type FakePayment, type FakeRefund, type FakeTrade, refundedFen } from '../fake-account.ts';
import type { FakeBehaviour } from '../fake-behaviour.ts';
import type { FakeNotification, FakeReply, FakeRequest } from '../fake-http.ts';
import type { FakeKeys } from '../fake-keys.ts';
import { alipayBill } from './fake-alipay-bill.ts';
import { isRsa2, rsa2, sorted, timeText, yuan } from './fake-alipay-text.ts';

export type FakeAlipay = {
  keys: FakeKeys['alipay'];
  account: FakeAccount;
  behaviour: FakeBehaviour;
  /** URL of the fake, in QR codes and for bills. */
  url: () => string;
  now: () => number;
  /** Called when a refund was done, after its reply. */
  onRefund: (trade: FakeTrade, refund: FakeRefund) => void;
};

type Content = Record<string, string | undefined>;
type Answer = Record<string, string>;

const STALE_MS = 15 * 60_000;
const BILL_PATH = '/downloadBillFile.resource';

/** POST /gateway.do and the download of bills, with the replies and errors that Alipay documents. */
export function answerAlipay(fake: FakeAlipay, request: FakeRequest): FakeReply | undefined {
  if (request.url.pathname === BILL_PATH) return answerBill(fake, request.url.searchParams.get('day') ?? '');
  if (request.url.pathname !== '/gateway.do') return undefined;
  const parameters = Object.fromEntries([...request.url.searchParams, ...new URLSearchParams(request.body.toString())]);
  const name = `${parameters['method']?.replaceAll('.', '_')}_response`;
  return signedReply(fake, name, findRequestError(fake, parameters) ?? answerMethod(fake, parameters));
}

function signedReply({ keys, behaviour }: FakeAlipay, name: string, answer: Answer): FakeReply {
  const text = JSON.stringify(answer).replaceAll('/', String.raw`\/`); // Alipay escapes slashes
  const isForged = behaviour.fault === 'wrong-signature';
  const signature = rsa2(isForged ? keys.app.privateKey : keys.provider.privateKey, text);
  const body = `{"${name}":${text},"sign":"${signature}"}`;
  return { status: 200, contentType: 'text/html;charset=utf-8', body };
}

function findRequestError({ keys, now }: FakeAlipay, parameters: Record<string, string>): Answer | undefined {
  const { sign = '', ...signed } = parameters;
  if (parameters['app_id'] !== keys.appId) return invalid('isv.invalid-app-id');
  if (parameters['sign_type'] !== 'RSA2') return invalid('isv.invalid-signature-type');
  if (!isRsa2(keys.app.publicKey, sorted(signed), sign)) return invalid('isv.invalid-signature');
  if (parameters['charset'] !== 'utf-8') return invalid('isv.invalid-charset');
  if (parameters['version'] !== '1.0') return invalid('isv.missing-version');
  const sentAt = Date.parse(`${parameters['timestamp']?.replace(' ', 'T')}+08:00`);
  if (!(Math.abs(sentAt - now()) < STALE_MS)) return invalid('isv.invalid-timestamp');
  return undefined;
}

function invalid(subCode: string): Answer {
  return { code: '40002', msg: 'Invalid Arguments', sub_code: subCode, sub_msg: '参数有误' };
}

function failed(subCode: string, subMsg: string): Answer {
  return { code: '40004', msg: 'Business Failed', sub_code: subCode, sub_msg: subMsg };
}

function done(answer: Answer): Answer {
  return { code: '10000', msg: 'Success', ...answer };
}

const noTrade = failed('ACQ.TRADE_NOT_EXIST', '交易不存在');

function answerMethod(fake: FakeAlipay, parameters: Record<string, string>): Answer {
  const content = JSON.parse(parameters['biz_content'] ?? '{}') as Content; // trusted, because its signature is valid
  switch (parameters['method']) {
    case 'alipay.trade.precreate':
      return precreate(fake, content, parameters['notify_url'] ?? '');
    case 'alipay.trade.query':
      return query(fake, content);
    case 'alipay.trade.close':
      return close(fake, content);
    case 'alipay.trade.refund':
      return refund(fake, content);
    case 'alipay.trade.fastpay.refund.query':
      return queryRefund(fake, content);
    case 'alipay.data.dataservice.bill.downloadurl.query':
      return billUrl(fake, content);
    default:
      return { code: '40006', msg: 'Insufficient Permissions', sub_code: 'isv.insufficient-isv-permissions' };
  }
}

function precreate({ account, url }: FakeAlipay, content: Content, notifyUrl: string): Answer {
  const { out_trade_no: number = '', total_amount: total = '', subject = '', time_expire: expiry = '' } = content;
  if (!/^\d+\.\d\d$/.test(total) || /[/=&]/.test(subject)) return failed('ACQ.INVALID_PARAMETER', '参数无效');
  const amountFen = Number(total.replace('.', ''));
  const known = account.find(number);
  if (known) {
    const state = account.stateOf(known);
    if (state === 'paid') return failed('ACQ.TRADE_HAS_SUCCESS', '交易已被支付');
    if (state === 'closed') return failed('ACQ.TRADE_HAS_CLOSE', '交易已经关闭');
    if (known.amountFen !== amountFen) return failed('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改');
  }
  const expiresAt = new Date(`${expiry.replace(' ', 'T')}+08:00`);
  const trade = known ?? account.create({ number, amountFen, subject, notifyUrl, expiresAt });
  return done({ out_trade_no: number, qr_code: `${url()}/pay/alipay/${trade.token}` });
}

function findScanned({ account }: FakeAlipay, content: Content): FakeTrade | undefined {
  const trade = account.find(content['out_trade_no'] ?? '');
  return trade?.isScanned ? trade : undefined;
}

function query(fake: FakeAlipay, content: Content): Answer {
  const trade = findScanned(fake, content);
  if (!trade) return noTrade;
  const [payment] = trade.payments;
  return done({
    out_trade_no: trade.number,
    trade_no: payment?.transactionId ?? `4${trade.number}`,
    trade_status: statusOf(fake, trade),
    total_amount: yuan(payment?.amountFen ?? trade.amountFen),
    buyer_logon_id: 'fak***@example.com',
    ...(payment && { send_pay_date: timeText(payment.paidAt) }),
  });
}

function statusOf({ account }: FakeAlipay, trade: FakeTrade): string {
  switch (account.stateOf(trade)) {
    case 'waiting':
      return 'WAIT_BUYER_PAY';
    case 'closed':
      return 'TRADE_CLOSED';
    case 'paid':
      return refundedFen(trade) < paidFen(trade) ? 'TRADE_SUCCESS' : 'TRADE_CLOSED';
  }
}

function paidFen({ payments }: FakeTrade): number {
  return payments[0]?.amountFen ?? 0;
}

function close(fake: FakeAlipay, content: Content): Answer {
  const trade = findScanned(fake, content);
  if (!trade) return noTrade;
  if (fake.account.stateOf(trade) !== 'waiting') return failed('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
  trade.isClosed = true;
  return done({ out_trade_no: trade.number });
}

function refund(fake: FakeAlipay, content: Content): Answer {
  const trade = findScanned(fake, content);
  const { out_request_no: number = '', refund_amount: amount = '' } = content;
  if (!trade) return noTrade;
  const [payment] = trade.payments;
  if (!payment) return failed('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
  const amountFen = Number(amount.replace('.', ''));
  const reply = (change: 'Y' | 'N'): Answer => {
    const refund_fee = yuan(refundedFen(trade));
    return done({ out_trade_no: trade.number, trade_no: payment.transactionId, fund_change: change, refund_fee });
  };
  const known = trade.refunds.find((one) => one.number === number);
  if (known?.amountFen === amountFen) return reply('N');
  if (known) return failed('ACQ.DISCORDANT_REPEAT_REQUEST', '请求信息与前一次不一致');
  if (refundedFen(trade) + amountFen > payment.amountFen) {
    return failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超过可退金额');
  }
  switch (fake.behaviour.refunds) {
    case 'no-balance':
      return failed('ACQ.SELLER_BALANCE_NOT_ENOUGH', '卖家余额不足');
    case 'failed':
      return failed('ACQ.REFUND_CHARGE_ERROR', '退收费异常');
    case 'pending':
      fake.account.addRefund(trade, { number, amountFen, state: 'pending' });
      return reply('N');
    case 'done': {
      const added = fake.account.addRefund(trade, { number, amountFen, state: 'done' });
      fake.onRefund(trade, added);
      return reply('Y');
    }
  }
}

/** Alipay returns no `refund_status` for a refund that it does not know or has not done. */
function queryRefund(fake: FakeAlipay, content: Content): Answer {
  const trade = findScanned(fake, content);
  if (!trade) return noTrade;
  const found = trade.refunds.find(({ number }) => number === content['out_request_no']);
  if (found?.state !== 'done') return done({});
  const paid = { refund_amount: yuan(found.amountFen), refund_status: 'REFUND_SUCCESS' };
  return done({ out_trade_no: trade.number, out_request_no: found.number, ...paid });
}

function billUrl(fake: FakeAlipay, content: Content): Answer {
  const day = content['bill_date'] ?? '';
  const { account, behaviour, keys, url } = fake;
  if (!behaviour.isBillReady || !alipayBill(account.list(), day, keys.sellerId)) {
    return failed('isp.bill_not_exist', '账单不存在');
  }
  return done({ bill_download_url: `${url()}${BILL_PATH}?day=${day}` });
}

function answerBill({ account, keys }: FakeAlipay, day: string): FakeReply {
  const bill = alipayBill(account.list(), day, keys.sellerId);
  if (!bill) return { status: 404, contentType: 'text/plain', body: 'no bill' };
  return { status: 200, contentType: 'application/octet-stream', body: bill };
}

/** What Alipay reports of a payment (异步通知). `changes` overwrites fields before they are signed. */
export function paymentForm(
  fake: FakeAlipay,
  trade: FakeTrade,
  payment: FakePayment,
  changes: Answer = {},
): FakeNotification {
  return signedForm(fake, trade, { ...common(fake, trade, payment), trade_status: 'TRADE_SUCCESS', ...changes });
}

export function refundForm(fake: FakeAlipay, trade: FakeTrade, refund: FakeRefund): FakeNotification {
  const [payment = { transactionId: '', amountFen: 0, paidAt: refund.createdAt }] = trade.payments;
  return signedForm(fake, trade, {
    ...common(fake, trade, payment),
    trade_status: statusOf(fake, trade),
    out_biz_no: refund.number,
    refund_fee: yuan(refundedFen(trade)),
    gmt_refund: `${timeText(refund.createdAt)}.000`,
  });
}

function common({ keys, now }: FakeAlipay, trade: FakeTrade, payment: FakePayment): Answer {
  return {
    notify_type: 'trade_status_sync',
    notify_id: randomBytes(17).toString('hex'),
    notify_time: timeText(new Date(now())),
    charset: 'utf-8',
    version: '1.0',
    app_id: keys.appId,
    auth_app_id: keys.appId,
    seller_id: keys.sellerId,
    buyer_id: '2088000000000009',
    trade_no: payment.transactionId,
    out_trade_no: trade.number,
    subject: trade.subject,
    total_amount: yuan(payment.amountFen),
    receipt_amount: yuan(payment.amountFen),
    gmt_create: timeText(payment.paidAt),
    gmt_payment: timeText(payment.paidAt),
  };
}

function signedForm({ keys }: FakeAlipay, trade: FakeTrade, fields: Answer): FakeNotification {
  const signature = rsa2(keys.provider.privateKey, sorted(fields));
  const form = new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signature });
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  return { url: trade.notifyUrl, headers, rawBody: Buffer.from(form.toString()) };
}
