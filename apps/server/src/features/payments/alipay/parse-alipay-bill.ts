import { fenOf } from '../fen.ts';
import type { BillLine } from '../payment-provider.ts';

const TRANSACTION = '支付宝交易号';
const PAYMENT = '商户订单号';
const TYPE = '业务类型';
const GOODS = '商品名称';
const AMOUNT = '订单金额(元)';
const REFUND = '退款批次号/请求号';
const COLUMNS = [TRANSACTION, PAYMENT, TYPE, GOODS, AMOUNT, REFUND];

/**
 * Reads one file of a bill: GBK, comments that begin with `#`, one header. Undefined when it has no payments' columns, as
 * the file with the totals. Rows of other kinds than payments and refunds are not ours. Throws for a row that cannot be
 * read: a bill with a gap must not pass as complete.
 */
export function parseAlipayBill(file: Buffer): BillLine[] | undefined {
  // GB 18030 contains GBK.
  const lines = new TextDecoder('gb18030').decode(file).split(/\r?\n/);
  const rows = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map(splitRow);
  const header = rows.shift()?.map((name) => name.replaceAll('（', '(').replaceAll('）', ')'));
  if (!header || COLUMNS.some((name) => !header.includes(name))) return undefined;
  return rows.map((row, index) => readRow(header, row, index + 1)).filter((line) => line !== undefined);
}

/** Cells are followed by tabs, which keep spreadsheets from rounding long numbers. */
function splitRow(line: string): string[] {
  return line.split(',').map((cell) => cell.trim());
}

function readRow(header: readonly string[], row: readonly string[], number: number): BillLine | undefined {
  const cell = cellReader(header, row);
  const type = cell(TYPE);
  if (type !== '交易' && type !== '退款') return undefined;
  const amountFen = fenOf(cell(AMOUNT));
  const transactionId = cell(TRANSACTION);
  const paymentNumber = cell(PAYMENT);
  if (amountFen === undefined || transactionId === '' || paymentNumber === '') {
    throw new Error(`row ${number} of Alipay's bill cannot be read`);
  }
  if (type === '交易') return { type: 'payment', paymentNumber, transactionId, amountFen };
  return {
    type: 'refund',
    paymentNumber,
    refundNumber: cell(REFUND),
    transactionId,
    amountFen: Math.abs(amountFen), // refunds are negative
  };
}

/** The only cell that may hold a comma is the name of what was sold, so the columns after it are counted from the end. */
function cellReader(header: readonly string[], row: readonly string[]): (name: string) => string {
  const extra = row.length - header.length;
  const goods = header.indexOf(GOODS);
  return (name) => {
    const at = header.indexOf(name);
    return (extra < 0 ? undefined : row[at > goods ? at + extra : at]) ?? '';
  };
}
