import { crc32, deflateRawSync } from 'node:zlib';
import type { FakeTrade } from '../fake-account.ts';
import { timeText, yuan } from './fake-alipay-text.ts';

const COLUMNS =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';

type BillRow = {
  trade: FakeTrade;
  transactionId: string;
  type: '交易' | '退款';
  fen: number;
  at: Date;
  request: string;
};

/** The bill of a day as Alipay delivers it: a zip file with two CSV files in GBK. Undefined when nothing happened. */
export function alipayBill(trades: readonly FakeTrade[], day: string, sellerId: string): Buffer | undefined {
  const rows = trades.flatMap(rowsOf).filter(({ at }) => timeText(at).startsWith(day));
  if (rows.length === 0) return undefined;
  const rule = '-'.repeat(40);
  const detail = [
    '#支付宝业务明细查询',
    `#账号：[${sellerId}0156]`,
    `#起始日期：[${day} 00:00:00]   终止日期：[${day} 24:00:00]`,
    `#${rule}业务明细列表${rule}`,
    COLUMNS,
    ...rows.map(rowText),
    `#${rule}业务明细列表结束${rule}`,
    `#交易合计：${rows.length}笔`,
  ];
  const totals = [
    '#支付宝业务汇总查询',
    '门店编号,门店名称,交易订单总笔数,退款订单总笔数',
    `合计\t,\t,${rows.length}\t,0\t`,
  ];
  return zip([
    { name: `${sellerId}_${day}_业务明细.csv`, content: gbk(`${detail.join('\r\n')}\r\n`) },
    { name: `${sellerId}_${day}_业务明细(汇总).csv`, content: gbk(`${totals.join('\r\n')}\r\n`) },
  ]);
}

function rowsOf(trade: FakeTrade): BillRow[] {
  const payments = trade.payments.map(({ transactionId, amountFen, paidAt }): BillRow => {
    return { trade, transactionId, type: '交易', fen: amountFen, at: paidAt, request: '' };
  });
  const transactionId = trade.payments[0]?.transactionId ?? '';
  const done = trade.refunds.filter(({ state }) => state === 'done');
  const refunds = done.map(({ number, amountFen, createdAt }): BillRow => {
    return { trade, transactionId, type: '退款', fen: -amountFen, at: createdAt, request: number };
  });
  return [...payments, ...refunds];
}

function rowText({ trade, transactionId, type, fen, at, request }: BillRow): string {
  const amount = `${fen < 0 ? '-' : ''}${yuan(Math.abs(fen))}`;
  const time = timeText(at);
  const cells = [
    ...[transactionId, trade.number, type, trade.subject, time, time, '', '', '', '', '测试买家(***)', amount, amount],
    ...['0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00', request, '0.00', '0.00', ''],
  ];
  return cells.map((cell) => `${cell}\t`).join(',');
}

let gbkCodes: Map<string, number> | undefined;

/** Node decodes GBK but does not encode it, so the decoder is asked for each of its two-byte codes. */
export function gbk(text: string): Buffer {
  gbkCodes ??= readGbkCodes();
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0) < 0x80 ? character.charCodeAt(0) : (gbkCodes.get(character) ?? 0x3f);
    if (code > 0xff) bytes.push(code >> 8, code & 0xff);
    else bytes.push(code);
  }
  return Buffer.from(bytes);
}

function readGbkCodes(): Map<string, number> {
  const decoder = new TextDecoder('gbk');
  const codes = new Map<string, number>();
  for (let first = 0x81; first <= 0xfe; first++) {
    for (let second = 0x40; second <= 0xfe; second++) {
      const character = decoder.decode(Uint8Array.of(first, second));
      if ([...character].length === 1 && character !== '\uFFFD') codes.set(character, (first << 8) | second);
    }
  }
  return codes;
}

/** A zip file with names in GBK, as Alipay's. */
export function zip(files: readonly { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const nameBytes = gbk(name);
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26); // from "version needed" to the length of the extra field
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, nameBytes, packed]);
    const tail = Buffer.alloc(14); // comment, disk, attributes
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\u0005\u0006'), end]);
}
