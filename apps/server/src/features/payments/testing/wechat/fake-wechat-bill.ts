import type { FakeTrade } from '../fake-account.ts';
import { beijingText } from './fake-wechat-text.ts';

const COLUMNS =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
const TOTALS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';

const refundStates = { done: 'SUCCESS', pending: 'PROCESSING', failed: 'FAIL' } as const;

type Merchant = { appId: string; merchantId: string };
type BillRow = { at: Date; cells: string[] };

/** The bill of a day (ALL), as WeChat Pay delivers it: every cell of a row begins with a backtick. */
export function wechatBill(trades: readonly FakeTrade[], day: string, merchant: Merchant): string | undefined {
  const rows = trades.flatMap((trade) => rowsOf(trade, merchant)).filter(({ at }) => beijingText(at).startsWith(day));
  if (rows.length === 0) return undefined;
  const lines = [COLUMNS, ...rows.map(({ cells }) => quoted(cells)), TOTALS];
  return `${lines.join('\r\n')}\r\n${quoted([String(rows.length), '0.00', '0.00', '0.00', '0.00', '0.00', '0.00'])}\r\n`;
}

function quoted(cells: readonly string[]): string {
  return cells.map((cell) => `\`${cell}`).join(',');
}

function rowsOf(trade: FakeTrade, { appId, merchantId }: Merchant): BillRow[] {
  const start = (at: Date, transactionId: string, state: string): string[] => [
    ...[beijingText(at), appId, merchantId, '0', '', transactionId, trade.number, 'oFakeBuyer', 'NATIVE', state],
    ...['OTHERS', 'CNY'],
  ];
  const payments = trade.payments.map(({ transactionId, amountFen, paidAt }): BillRow => {
    const amount = (amountFen / 100).toFixed(2);
    const end = [
      amount,
      '0.00',
      '0',
      '0',
      '0.00',
      '0.00',
      '',
      '',
      trade.subject,
      '',
      '0.00',
      '0.60%',
      amount,
      '0.00',
      '',
    ];
    return { at: paidAt, cells: [...start(paidAt, transactionId, 'SUCCESS'), ...end] };
  });
  const transactionId = trade.payments[0]?.transactionId ?? '';
  const refunds = trade.refunds.map(({ number, id, amountFen, createdAt, state }): BillRow => {
    const amount = (amountFen / 100).toFixed(2);
    const refund = ['0.00', '0.00', id, number, amount, '0.00', 'ORIGINAL', refundStates[state]];
    const end = [trade.subject, '', '0.00', '0.60%', '0.00', amount, ''];
    return { at: createdAt, cells: [...start(createdAt, transactionId, 'REFUND'), ...refund, ...end] };
  });
  return [...payments, ...refunds];
}
