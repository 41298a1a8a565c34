import { expect, test } from 'vitest';
import { parseWechatBill } from './parse-wechat-bill.ts';

const header =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
const totals = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';

type Row = { number?: string; state?: string; refundState?: string; goods?: string; amount?: string; refund?: string };

function row({
  number = 'P-000001',
  state = 'SUCCESS',
  refundState = '',
  goods = '标准版',
  amount = '26.00',
  refund = '0.00',
}: Row) {
  const start = ['2026-11-24 09:30:00', 'wx1', '1900000001', '0', '', '4200000001', number, 'oBuyer', 'NATIVE', state];
  const refunded =
    refundState === ''
      ? ['0', '0', '0.00', '0.00', '', '']
      : ['5030001', 'R-000001', refund, '0.00', 'ORIGINAL', refundState];
  const cells = [
    ...start,
    'OTHERS',
    'CNY',
    amount,
    '0.00',
    ...refunded,
    goods,
    '',
    '0.16',
    '0.60%',
    amount,
    refund,
    '',
  ];
  return cells.map((cell) => `\`${cell}`).join(',');
}

function bill(rows: readonly string[], { mark = '', end = '\r\n' } = {}): Buffer {
  return Buffer.from([mark + header, ...rows, totals, '`1,`26.00,`0.00,`0.00,`0.16,`26.00,`0.00', ''].join(end));
}

test('payments and refunds are read, with or without a byte order mark', () => {
  const rows = [row({}), row({ state: 'REFUND', refundState: 'SUCCESS', refund: '10.50' })];
  const expected = [
    { type: 'payment', paymentNumber: 'P-000001', transactionId: '4200000001', amountFen: 2600 },
    {
      type: 'refund',
      paymentNumber: 'P-000001',
      refundNumber: 'R-000001',
      transactionId: '4200000001',
      amountFen: 1050,
    },
  ];
  expect(parseWechatBill(bill(rows))).toEqual(expected);
  expect(parseWechatBill(bill(rows, { mark: '\uFEFF', end: '\n' }))).toEqual(expected);
});

test('commas and quotes in a name are part of it', () => {
  expect(parseWechatBill(bill([row({ goods: '茶,"咖啡",果汁' })]))).toMatchObject([{ amountFen: 2600 }]);
});

test('what moved no money is left out', () => {
  const rows = [
    row({ state: 'REVOKED' }),
    row({ state: 'REFUND', refundState: 'FAIL', refund: '1.00' }),
    row({ state: 'REFUND', refundState: 'CHANGE', refund: '1.00' }),
    row({ state: 'REFUND', refundState: 'PROCESSING', refund: '1.00' }),
  ];
  expect(parseWechatBill(bill(rows))).toMatchObject([{ type: 'refund', amountFen: 100 }]);
});

test.for([row({ amount: '26.005' }), row({ number: '' }), row({}).slice(0, 80), '`1'])(
  'a row that cannot be read spoils the bill: %j',
  (odd) => {
    expect(() => parseWechatBill(bill([row({}), odd]))).toThrow('row 2');
  },
);

test('a bill without its columns or its end is refused', () => {
  expect(() => parseWechatBill(Buffer.from('交易时间,商户号\r\n'))).toThrow('微信订单号');
  expect(() => parseWechatBill(Buffer.from(`${header}\r\n${row({})}\r\n`))).toThrow('no end');
  expect(() => parseWechatBill(Buffer.alloc(0))).toThrow('no column');
});
