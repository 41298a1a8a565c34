import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import type { PaymentProviderId, PaymentQr } from '../payment-provider.ts';

export type PayableOrder = {
  id: number;
  number: string;
  userId: number | null;
  status: 'open' | 'paid' | 'closed' | 'refunded';
  amountFen: number;
  refundedFen: number;
  productName: string;
  closesAt: Date;
  /** Whether enough time is left to pay. Providers accept no payment that ends within a minute. */
  isPayable: boolean;
  /** Whether it should have been closed an hour ago. */
  isLongOverdue: boolean;
};

export type PaymentRow = {
  id: number;
  orderId: number;
  provider: PaymentProviderId;
  number: string;
  amountFen: number;
  paidFen: number | null;
  refundedFen: number;
  status: 'waiting' | 'paid' | 'closed';
  qrText: string | null;
  qrExpiresAt: Date | null;
  settles: boolean;
  transactionId: string | null;
  expiresAt: Date;
  paidAt: Date | null;
  /** Whether the code can still be shown: its buyer needs a moment to scan it. */
  hasFreshQr: boolean;
};

/** Locks the order after its account, the order in which all changes of plans lock. Undefined if there is none. */
export async function lockOrder(tx: Db, orderId: number): Promise<PayableOrder | undefined> {
  const owner = await tx.selectFrom('productOrder').select('userId').where('id', '=', orderId).executeTakeFirst();
  if (typeof owner?.userId === 'number') await lockUserForNoKeyUpdate(tx, owner.userId);
  return await tx
    .selectFrom('productOrder')
    .select(['id', 'number', 'userId', 'status', 'amountFen', 'refundedFen', 'productName', 'closesAt'])
    .select(sql<boolean>`(status = 'open' and closes_at > now() + interval '1 minute')`.as('isPayable'))
    .select(sql<boolean>`closes_at < now() - interval '1 hour'`.as('isLongOverdue'))
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export function selectPayments(db: Db) {
  return db
    .selectFrom('payment')
    .select(['payment.id', 'payment.orderId', 'payment.provider', 'payment.number', 'payment.amountFen'])
    .select(['payment.paidFen', 'payment.refundedFen', 'payment.status', 'payment.qrText', 'payment.qrExpiresAt'])
    .select(['payment.settles', 'payment.transactionId', 'payment.expiresAt', 'payment.paidAt'])
    .select(sql<boolean>`coalesce(payment.qr_expires_at > now() + interval '2 minutes', false)`.as('hasFreshQr'));
}

export async function findPayment(
  db: Db,
  payment: { provider: PaymentProviderId; number: string },
): Promise<PaymentRow | undefined> {
  return await selectPayments(db)
    .where('payment.provider', '=', payment.provider)
    .where('payment.number', '=', payment.number)
    .executeTakeFirst();
}

/** The order is locked already, so nobody else inserts or changes payments of it. */
export async function lockPayment(tx: Db, id: number): Promise<PaymentRow> {
  return await selectPayments(tx).where('payment.id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The payment that paid the order. */
export async function lockSettlingPayment(tx: Db, orderId: number): Promise<PaymentRow | undefined> {
  return await selectPayments(tx)
    .where('payment.orderId', '=', orderId)
    .where('payment.settles', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function listWaiting(db: Db, orderId: number): Promise<PaymentRow[]> {
  return await selectPayments(db)
    .where('payment.orderId', '=', orderId)
    .where('payment.status', '=', 'waiting')
    .orderBy('payment.id')
    .execute();
}

export async function findWaiting(
  db: Db,
  wanted: { orderId: number; provider: PaymentProviderId },
): Promise<PaymentRow | undefined> {
  const waiting = await listWaiting(db, wanted.orderId);
  return waiting.find(({ provider }) => provider === wanted.provider);
}

export async function insertPayment(
  tx: Db,
  payment: { orderId: number; provider: PaymentProviderId; number: string; amountFen: number; expiresAt: Date },
): Promise<number> {
  const row = await tx
    .insertInto('payment')
    .values({ ...payment, qrText: null, qrExpiresAt: null, transactionId: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Shows this payment's code rather than that of another provider. */
export async function markChosen(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ chosenAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** False when the payment has ended meanwhile. */
export async function setQr(db: Db, id: number, { qrText, qrExpiresAt }: PaymentQr): Promise<boolean> {
  const row = await db
    .updateTable('payment')
    .set({ qrText, qrExpiresAt })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A payment that was paid meanwhile stays so. */
export async function markClosed(db: Db, id: number): Promise<void> {
  await db
    .updateTable('payment')
    .set({ status: 'closed' })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute();
}

export async function markPaid(
  tx: Db,
  id: number,
  paid: { paidFen: number; transactionId: string; paidAt: Date; settles: boolean },
): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ ...paid, status: 'paid' })
    .where('id', '=', id)
    .execute();
}

export async function addToRefunded(tx: Db, id: number, amountFen: number): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ refundedFen: sql<number>`refunded_fen + ${amountFen}::integer` })
    .where('id', '=', id)
    .execute();
}

/** The codes that work, for each order the latest last. The one that the buyer chose last is shown. */
export async function listShownQrs(
  db: Db,
  orderIds: readonly number[],
): Promise<{ orderId: number; provider: PaymentProviderId; qrText: string; expiresAt: Date }[]> {
  return await db
    .selectFrom('payment')
    .select(['orderId', 'provider'])
    .select(sql<string>`qr_text`.as('qrText'))
    .select(sql<Date>`qr_expires_at`.as('expiresAt'))
    .where(sql<boolean>`order_id = any(${orderIds}::integer[])`)
    .where('status', '=', 'waiting')
    .where('qrExpiresAt', '>', sql<Date>`now()`)
    .orderBy('chosenAt')
    .orderBy('id')
    .execute();
}

export async function listPaymentsOfOrders(db: Db, orderIds: readonly number[]): Promise<PaymentRow[]> {
  return await selectPayments(db)
    .where(sql<boolean>`payment.order_id = any(${orderIds}::integer[])`)
    .orderBy('payment.id')
    .execute();
}
