import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { PaymentProviderId } from '../payment-provider.ts';

type OfDay = { provider: PaymentProviderId; day: string };

export type BilledPayment = { number: string; paidFen: number | null; transactionId: string | null };
export type BilledRefund = { number: string; amountFen: number; status: string; paymentNumber: string };

/** The first day on which the provider was asked for a payment, in Beijing. Undefined: never. */
export async function findFirstDay(db: Db, provider: PaymentProviderId): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment')
    .select(sql<string | null>`to_char(min(created_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`.as('day'))
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.day ?? undefined;
}

export async function listComparedDays(db: Db, provider: PaymentProviderId, from: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('comparedBill')
    .select('day')
    .where('provider', '=', provider)
    .where('day', '>=', from)
    .execute();
  return new Set(rows.map(({ day }) => day));
}

export async function listPaymentsByNumber(
  db: Db,
  provider: PaymentProviderId,
  numbers: readonly string[],
): Promise<BilledPayment[]> {
  return await db
    .selectFrom('payment')
    .select(['number', 'paidFen', 'transactionId'])
    .where('provider', '=', provider)
    .where(sql<boolean>`number = any(${numbers}::text[])`)
    .execute();
}

export async function listRefundsByNumber(
  db: Db,
  provider: PaymentProviderId,
  numbers: readonly string[],
): Promise<BilledRefund[]> {
  return await db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select(['refund.number', 'refund.amountFen', 'refund.status', 'payment.number as paymentNumber'])
    .where('payment.provider', '=', provider)
    .where(sql<boolean>`refund.number = any(${numbers}::text[])`)
    .execute();
}

export async function markBilled(
  tx: Db,
  day: string,
  { payments, refunds }: { payments: readonly string[]; refunds: readonly string[] },
): Promise<void> {
  for (const [table, numbers] of [['payment', payments] as const, ['refund', refunds] as const]) {
    await tx
      .updateTable(table)
      .set({ billedDay: day })
      .where(sql<boolean>`number = any(${numbers}::text[])`)
      .execute();
  }
}

/** Payments and refunds of that day in Beijing that no bill has listed, neither this one nor one before it. */
export async function listUnbilled(
  tx: Db,
  { provider, day }: OfDay,
): Promise<{ payments: { number: string; amountFen: number }[]; refunds: { number: string; amountFen: number }[] }> {
  const starts = sql`(${day}::timestamp at time zone 'Asia/Shanghai')`;
  const isOfDay = (time: string) =>
    sql<boolean>`(${sql.ref(time)} >= ${starts} and ${sql.ref(time)} < ${starts} + interval '1 day')`;
  const payments = await tx
    .selectFrom('payment')
    .select('number')
    .select(sql<number>`paid_fen`.as('amountFen'))
    .where('provider', '=', provider)
    .where('status', '=', 'paid')
    .where('billedDay', 'is', null)
    .where(isOfDay('payment.paid_at'))
    .orderBy('id')
    .execute();
  const refunds = await tx
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select(['refund.number', 'refund.amountFen'])
    .where('payment.provider', '=', provider)
    .where('refund.status', '=', 'done')
    .where('refund.billedDay', 'is', null)
    .where(isOfDay('refund.done_at'))
    .orderBy('refund.id')
    .execute();
  return { payments, refunds };
}

/** False when another process has compared this bill meanwhile. */
export async function insertComparedBill(
  tx: Db,
  { provider, day, differences }: OfDay & { differences: readonly string[] },
): Promise<boolean> {
  const row = await tx
    .insertInto('comparedBill')
    .values({ provider, day, differences: sql<object>`${JSON.stringify(differences)}::jsonb` })
    .onConflict((conflict) => conflict.columns(['provider', 'day']).doNothing())
    .returning('day')
    .executeTakeFirst();
  return row !== undefined;
}
