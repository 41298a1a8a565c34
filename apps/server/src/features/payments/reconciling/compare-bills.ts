import { notifyOfLedger } from '../../alerts/index.ts';
import { PROVIDER_NAMES, yuanOf } from '../../ledger/index.ts';
import { findPayment } from '../paying/payment-store.ts';
import { askProvider } from '../paying/close-payments.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { BillLine, PaymentProvider } from '../payment-provider.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { recordRefund } from '../refunds/record-refund.ts';
import { billedDays } from './bill-days.ts';
import * as store from './bill-store.ts';

/** What a bill says of a number. Two payments with one number would be a double payment. */
type Billed = { amountFen: number; transactionId: string };
type Comparison = { billed: string[]; differences: string[] };

/** Compares the bills of the last days that were not compared yet with what is entered here. */
export async function compareBills(deps: PaymentDeps, now: Date): Promise<void> {
  const days = billedDays(now);
  for (const provider of deps.providers.values()) {
    const first = await store.findFirstDay(deps.db, provider.id);
    if (first === undefined) continue;
    const compared = await store.listComparedDays(deps.db, provider.id, days[0] ?? first);
    for (const day of days.filter((one) => one >= first && !compared.has(one))) {
      if (!(await compareBill(deps, provider, day))) break; // bills are compared in the order of their days
    }
  }
}

/** False when there is no bill yet. */
async function compareBill(deps: PaymentDeps, provider: PaymentProvider, day: string): Promise<boolean> {
  const lines = await readBill(deps, provider, day);
  if (lines === undefined) return false;
  const payments = await comparePayments(deps, provider, lines);
  const refunds = await compareRefunds(deps, provider, lines);
  await deps.db.transaction().execute(async (tx) => {
    await store.markBilled(tx, day, { payments: payments.billed, refunds: refunds.billed });
    const missing = await store.listUnbilled(tx, { provider: provider.id, day });
    const differences = [
      ...payments.differences,
      ...refunds.differences,
      ...missing.payments.map(({ number, amountFen }) => `付款 ${number}（${yuanOf(amountFen)}）不在账单里`),
      ...missing.refunds.map(({ number, amountFen }) => `退款 ${number}（${yuanOf(amountFen)}）不在账单里`),
    ];
    const isFirst = await store.insertComparedBill(tx, { provider: provider.id, day, differences });
    if (!isFirst || differences.length === 0) return;
    deps.log.error({ provider: provider.id, day, differences }, 'a bill differs from the payments here');
    await notifyOfLedger(
      tx,
      differences.map((text) => `${PROVIDER_NAMES[provider.id]} ${day} 的账单：${text}`),
    );
  });
  return true;
}

async function readBill(deps: PaymentDeps, provider: PaymentProvider, day: string): Promise<BillLine[] | undefined> {
  try {
    return await provider.bill(day);
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err;
    deps.log.warn({ err, provider: provider.id, day }, 'a bill could not be read');
    return undefined;
  }
}

async function comparePayments(
  deps: PaymentDeps,
  provider: PaymentProvider,
  lines: readonly BillLine[],
): Promise<Comparison> {
  const bill = sumByNumber(
    lines.flatMap((line) => (line.type === 'payment' ? [{ ...line, number: line.paymentNumber }] : [])),
  );
  const find = async () => {
    const rows = await store.listPaymentsByNumber(deps.db, provider.id, [...bill.keys()]);
    return new Map(rows.map((row) => [row.number, row]));
  };
  // A payment whose notification was lost is entered now, or returned.
  for (const { number, paidFen } of (await find()).values())
    if (paidFen === null) await enterNow(deps, provider, number);
  const known = await find();
  const comparison: Comparison = { billed: [], differences: [] };
  for (const [number, { amountFen, transactionId }] of bill) {
    const row = known.get(number);
    const there = `付款 ${number}（账单上 ${yuanOf(amountFen)}）`;
    if (row) comparison.billed.push(number);
    if (!row) comparison.differences.push(`${there}在这里没有记录`);
    else if (row.paidFen === null) comparison.differences.push(`${there}在这里还没有到账`);
    else if (row.paidFen !== amountFen) comparison.differences.push(`${there}在这里是 ${yuanOf(row.paidFen)}`);
    else if (row.transactionId !== transactionId) comparison.differences.push(`${there}的交易号不一致`);
  }
  return comparison;
}

async function enterNow(deps: PaymentDeps, provider: PaymentProvider, number: string): Promise<void> {
  const payment = await findPayment(deps.db, { provider: provider.id, number });
  try {
    if (payment) await askProvider(deps, provider, payment);
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err;
    deps.log.warn({ err, payment: number }, 'a payment of a bill could not be asked about');
  }
}

async function compareRefunds(
  deps: PaymentDeps,
  provider: PaymentProvider,
  lines: readonly BillLine[],
): Promise<Comparison> {
  const bill = sumByNumber(
    lines.flatMap((line) => (line.type === 'refund' ? [{ ...line, number: line.refundNumber }] : [])),
  );
  const rows = await store.listRefundsByNumber(deps.db, provider.id, [...bill.keys()]);
  const known = new Map(rows.map((row) => [row.number, row]));
  const comparison: Comparison = { billed: [], differences: [] };
  for (const [number, { amountFen }] of bill) {
    const row = known.get(number);
    const there = `退款 ${number}（账单上 ${yuanOf(amountFen)}）`;
    if (row) comparison.billed.push(number);
    if (row && row.status !== 'done') await askAboutRefund(deps, provider, row);
    if (!row) comparison.differences.push(`${there}在这里没有记录`);
    else if (row.amountFen !== amountFen) comparison.differences.push(`${there}在这里是 ${yuanOf(row.amountFen)}`);
  }
  return comparison;
}

/** A refund that is on the bill may have been done without an answer. The bill may also list it before it is done. */
async function askAboutRefund(
  deps: PaymentDeps,
  provider: PaymentProvider,
  { number, paymentNumber }: store.BilledRefund,
): Promise<void> {
  try {
    const state = await provider.findRefund({ number, paymentNumber });
    if (state !== 'absent') await recordRefund(deps, { number, state });
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err;
    deps.log.warn({ err, refund: number }, 'a refund of a bill could not be asked about');
  }
}

function sumByNumber(lines: readonly (Billed & { number: string })[]): Map<string, Billed> {
  const sums = new Map<string, Billed>();
  for (const { number, amountFen, transactionId } of lines) {
    sums.set(number, { amountFen: amountFen + (sums.get(number)?.amountFen ?? 0), transactionId });
  }
  return sums;
}
