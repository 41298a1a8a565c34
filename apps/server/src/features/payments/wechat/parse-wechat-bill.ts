import { fenOf } from '../fen.ts';
import type { BillLine } from '../payment-provider.ts';

const TRANSACTION = '微信订单号';
const PAYMENT = '商户订单号';
const STATE = '交易状态';
const AMOUNT = '订单金额';
const REFUND = '商户退款单号';
const REFUND_STATE = '退款状态';
const REFUND_AMOUNT = '申请退款金额';
const COLUMNS = [TRANSACTION, PAYMENT, STATE, AMOUNT, REFUND, REFUND_STATE, REFUND_AMOUNT];
const TOTALS = '总交易单数';

/**
 * Reads a bill of type ALL: a header, rows whose every cell begins with a backtick, and the totals. Throws for a row that
 * cannot be read: a bill with a gap must not pass as complete.
 */
export function parseWechatBill(file: Buffer): BillLine[] {
  const lines = new TextDecoder().decode(file).split(/\r?\n/); // the decoder drops a byte order mark
  const header = lines[0]?.split(',').map((name) => name.trim()) ?? [];
  const missing = COLUMNS.filter((name) => !header.includes(name));
  if (missing.length > 0) throw new Error(`WeChat Pay's bill has no column ${missing.join(', ')}`);
  const end = lines.findIndex((line) => line.startsWith(TOTALS));
  if (end < 0) throw new Error("WeChat Pay's bill has no end");
  return lines
    .slice(1, end)
    .filter((line) => line.trim() !== '')
    .map((line, index) => readRow(header, line, index + 1))
    .filter((line) => line !== undefined);
}

function readRow(header: readonly string[], line: string, number: number): BillLine | undefined {
  // Cells may hold commas, but none holds a comma before a backtick.
  const cells = line.replace(/^`/, '').split(',`');
  if (cells.length !== header.length) throw unreadable(number);
  const cell = (name: string): string => (cells[header.indexOf(name)] ?? '').trim();
  const transactionId = cell(TRANSACTION);
  const paymentNumber = cell(PAYMENT);
  const state = cell(STATE);
  if (state !== 'SUCCESS' && state !== 'REFUND') return undefined;
  const amountFen = fenOf(cell(state === 'SUCCESS' ? AMOUNT : REFUND_AMOUNT));
  if (amountFen === undefined || transactionId === '' || paymentNumber === '') throw unreadable(number);
  if (state === 'SUCCESS') return { type: 'payment', paymentNumber, transactionId, amountFen };
  // FAIL and CHANGE: the money did not leave the merchant's account.
  if (cell(REFUND_STATE) !== 'SUCCESS' && cell(REFUND_STATE) !== 'PROCESSING') return undefined;
  return { type: 'refund', paymentNumber, refundNumber: cell(REFUND), transactionId, amountFen };
}

function unreadable(number: number): Error {
  return new Error(`row ${number} of WeChat Pay's bill cannot be read`);
}
