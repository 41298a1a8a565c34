import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { PaymentProviderId } from '../payment-provider.ts';

export type RefundStatus = 'requested' | 'pending' | 'done' | 'failed';

/** A refund with what its provider must know of the payment. */
export type RefundRow = {
  id: number;
  number: string;
  status: RefundStatus;
  amountFen: number;
  reason: string;
  paymentId: number;
  provider: PaymentProviderId;
  paymentNumber: string;
  paidFen: number | null;
  orderId: number;
};

/** The first try after a failure comes after this time; each further one takes twice as long, up to six hours. */
const FIRST_DELAY_SECONDS = 15;
const MAX_DELAY_SECONDS = 6 * 3_600;
const MAX_CLAIMED = 50;

export async function insertRefund(
  tx: Db,
  refund: { paymentId: number; number: string; amountFen: number; reason: string; madeBy: string },
): Promise<number> {
  const row = await tx
    .insertInto('refund')
    .values({ ...refund, problem: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

function selectRefunds(db: Db) {
  return db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select(['refund.id', 'refund.number', 'refund.status', 'refund.amountFen', 'refund.reason', 'refund.paymentId'])
    .select(['payment.provider', 'payment.number as paymentNumber', 'payment.paidFen', 'payment.orderId']);
}

/** One process takes each due refund, and the time of its next try is set before this one: a crash only delays it. */
export async function claimDueRefunds(db: Db, providers: readonly PaymentProviderId[]): Promise<RefundRow[]> {
  const delay = sql`least(${MAX_DELAY_SECONDS}::integer, ${FIRST_DELAY_SECONDS}::integer * power(2, least(tries, 12)))`;
  const claimed = await db
    .updateTable('refund')
    .set({
      tries: sql<number>`tries + 1`,
      nextTryAt: sql<Date>`now() + make_interval(secs => ${delay})`,
    })
    .where('id', 'in', (due) =>
      due
        .selectFrom('refund')
        .innerJoin('payment', 'payment.id', 'refund.paymentId')
        .select('refund.id')
        .where('refund.status', '<>', 'done')
        .where('refund.nextTryAt', '<=', sql<Date>`now()`)
        .where(sql<boolean>`payment.provider = any(${providers}::text[])`) // there may be none
        .orderBy('refund.nextTryAt')
        .limit(MAX_CLAIMED)
        .forUpdate('refund')
        .skipLocked(),
    )
    .returning('id')
    .execute();
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => id);
  return await selectRefunds(db).where('refund.id', 'in', ids).orderBy('refund.id').execute();
}

export async function findRefund(db: Db, number: string): Promise<RefundRow | undefined> {
  return await selectRefunds(db).where('refund.number', '=', number).executeTakeFirst();
}

/** The order is locked already. Undefined when the refund has got another number meanwhile. */
export async function lockRefund(tx: Db, number: string): Promise<RefundRow | undefined> {
  return await selectRefunds(tx).where('refund.number', '=', number).forNoKeyUpdate('refund').executeTakeFirst();
}

export async function setRefundDone(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ status: 'done', doneAt: sql<Date>`now()`, problem: null })
    .where('id', '=', id)
    .execute();
}

/** One that is done stays so. `number` replaces one that the provider does not accept any more. */
export async function setRefundStatus(
  tx: Db,
  id: number,
  change: { status: Exclude<RefundStatus, 'done'>; problem: string | null; number?: string },
): Promise<void> {
  await tx.updateTable('refund').set(change).where('id', '=', id).where('status', '<>', 'done').execute();
}

/** Why the last try failed; the status stays. */
export async function setRefundProblem(db: Db, id: number, problem: string): Promise<void> {
  await db.updateTable('refund').set({ problem }).where('id', '=', id).where('status', '<>', 'done').execute();
}

export async function findUsername(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('userAccount').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? '';
}

export type ListedRefund = {
  id: number;
  paymentId: number;
  amountFen: number;
  reason: string;
  status: RefundStatus;
  madeBy: string;
  problem: string | null;
  createdAt: Date;
  doneAt: Date | null;
};

export async function listRefundsOfPayments(db: Db, paymentIds: readonly number[]): Promise<ListedRefund[]> {
  return await db
    .selectFrom('refund')
    .select(['id', 'paymentId', 'amountFen', 'reason', 'status', 'madeBy', 'problem', 'createdAt', 'doneAt'])
    .where(sql<boolean>`payment_id = any(${paymentIds}::integer[])`)
    .orderBy('id')
    .execute();
}

/** The refunds of payments that arrived but did not pay their orders; the oldest first. */
export async function listReturnsOfOrders(
  db: Db,
  orderIds: readonly number[],
): Promise<{ orderId: number; amountFen: number; reason: string; isDone: boolean }[]> {
  return await db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select(['payment.orderId', 'refund.amountFen', 'refund.reason'])
    .select(sql<boolean>`refund.status = 'done'`.as('isDone'))
    .where(sql<boolean>`payment.order_id = any(${orderIds}::integer[])`)
    .where('payment.settles', '=', false)
    .orderBy('refund.id')
    .execute();
}
