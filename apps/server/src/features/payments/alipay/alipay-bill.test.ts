import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gbk, zip } from '../testing/alipay/fake-alipay-bill.ts';
import { parseAlipayBill } from './parse-alipay-bill.ts';
import { zipEntries } from './zip-entries.ts';

const header =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';

type Row = { number?: string; type?: string; goods?: string; amount?: string; request?: string };

function row({
  number = 'P-000001',
  type = '交易',
  goods = '标准版',
  amount = '26.00',
  request = '',
}: Row = {}): string {
  const cells = ['2026112422001400000000000001', number, type, goods, '2026-11-24 09:30:00', '2026-11-24 09:30:05'];
  const buyer = [
    '',
    '',
    '',
    '',
    '张*(138****0000)',
    amount,
    '25.84',
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '',
    '0.00',
    '0.00',
  ];
  return [...cells, ...buyer, request, '-0.16', '0.00', ''].map((cell) => `${cell}\t`).join(',');
}

function billFile(rows: readonly string[], { columns = header, end = '\r\n' } = {}): Buffer {
  const before = ['#支付宝业务明细查询', '#账号：[20880000000000000156]', '#----业务明细列表----', columns];
  return gbk([...before, ...rows, '#----业务明细列表结束----', '#交易合计：1笔', ''].join(end));
}

test('payments and refunds are read from GBK, with either line end and either parentheses', () => {
  const rows = [row(), row({ type: '退款', amount: '-10.50', request: 'R-000001' })];
  const expected = [
    { type: 'payment', paymentNumber: 'P-000001', transactionId: '2026112422001400000000000001', amountFen: 2600 },
    {
      type: 'refund',
      paymentNumber: 'P-000001',
      refundNumber: 'R-000001',
      transactionId: '2026112422001400000000000001',
      amountFen: 1050,
    },
  ];
  expect(parseAlipayBill(billFile(rows))).toEqual(expected);
  expect(parseAlipayBill(billFile(rows, { end: '\n' }))).toEqual(expected);
  const plain = header.replaceAll('（', '(').replaceAll('）', ')');
  expect(parseAlipayBill(billFile(rows, { columns: plain }))).toEqual(expected);
});

test('a comma in the name of what was sold moves no column', () => {
  const rows = [
    row({ goods: '茶,咖啡,果汁' }),
    row({ goods: '退,款', type: '退款', amount: '-1.00', request: 'R-000001' }),
  ];
  expect(parseAlipayBill(billFile(rows))).toMatchObject([
    { type: 'payment', amountFen: 2600 },
    { type: 'refund', refundNumber: 'R-000001', amountFen: 100 },
  ]);
});

test('rows of other kinds are left out, and a file without payments’ columns is none', () => {
  expect(parseAlipayBill(billFile([row({ type: '转账' }), row({ type: '在线支付手续费' })]))).toEqual([]);
  expect(parseAlipayBill(billFile([]))).toEqual([]);
  expect(parseAlipayBill(gbk('#汇总\r\n门店编号,交易订单总笔数\r\n合计\t,1\t\r\n'))).toBeUndefined();
  expect(parseAlipayBill(Buffer.alloc(0))).toBeUndefined();
});

test.for([{ amount: '26.005' }, { amount: '' }, { amount: '二十六元' }, { number: '' }])(
  'a row that cannot be read spoils the bill: %j',
  (changes) => {
    expect(() => parseAlipayBill(billFile([row(), row(changes)]))).toThrow('row 2');
  },
);

test('a zip file gives its contents, whatever the names of its entries', () => {
  const files = [
    { name: '业务明细.csv', content: Buffer.from('one'.repeat(1000)) },
    { name: '业务明细(汇总).csv', content: Buffer.alloc(0) },
  ];
  expect(zipEntries(zip(files), { maxBytes: 10_000 })).toEqual(files.map(({ content }) => content));
});

test('a zip file that unpacks to too much is refused', () => {
  const bomb = zip([
    { name: 'a', content: Buffer.alloc(600) },
    { name: 'b', content: Buffer.alloc(600) },
  ]);
  expect(() => zipEntries(bomb, { maxBytes: 1000 })).toThrow();
  expect(zipEntries(bomb, { maxBytes: 1200 })).toHaveLength(2);
});

test('no damaged zip file is read as something else', () => {
  const whole = zip([{ name: 'a.csv', content: Buffer.from('支付宝'.repeat(100)) }]);
  for (let bytes = 0; bytes < whole.length; bytes++) {
    expect(() => zipEntries(whole.subarray(0, bytes), { maxBytes: 10_000 })).toThrow();
  }
  const encrypted = Buffer.from(whole);
  encrypted.writeUInt16LE(99, encrypted.indexOf('PK\u0001\u0002') + 10);
  expect(() => zipEntries(encrypted, { maxBytes: 10_000 })).toThrow('compression 99');
  expect(() =>
    zipEntries(deflateRawSync('no zip file, but long enough for the end of one'), { maxBytes: 1 }),
  ).toThrow();
});
