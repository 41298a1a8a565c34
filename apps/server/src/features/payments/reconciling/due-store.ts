import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { PaymentRow } from '../paying/payment-store.ts';
import { selectPayments } from '../paying/payment-store.ts';
import type { PaymentProviderId } from '../payment-provider.ts';

const MAX_CLAIMED = 200;

export type DuePayment = PaymentRow & { orderStatus: 'open' | 'paid' | 'closed' | 'refunded' };

/**
 * Takes the payments to ask about: waiting ones every 15 s for 10 minutes, every minute for an hour, then every 10 minutes,
 * and at once when their order has ended. A closed one is asked about once more after its end, by a clock that may be
 * 10 minutes off, because a code of Alipay that nobody had scanned could be paid until then.
 */
export async function claimDuePayments(db: Db, providers: readonly PaymentProviderId[]): Promise<DuePayment[]> {
  const every = sql`case
    when payment.created_at > now() - interval '10 minutes' then interval '14 seconds'
    when payment.created_at > now() - interval '1 hour' then interval '59 seconds'
    else interval '10 minutes' end`;
  const lastAsked = sql`coalesce(payment.asked_at, payment.created_at)`;
  const isDueWaiting = sql<boolean>`(payment.status = 'waiting' and (${lastAsked} < now() - ${every}
    or ${lastAsked} < coalesce(product_order.paid_at, product_order.closed_at)))`;
  const isDueClosed = sql<boolean>`(payment.status = 'closed'
    and payment.expires_at between now() - interval '1 day' and now() - interval '10 minutes'
    and ${lastAsked} < payment.expires_at + interval '10 minutes')`;
  const claimed = await db
    .updateTable('payment')
    .set({ askedAt: sql<Date>`now()` })
    .where('id', 'in', (due) =>
      due
        .selectFrom('payment')
        .innerJoin('productOrder', 'productOrder.id', 'payment.orderId')
        .select('payment.id')
        .where(sql<boolean>`payment.provider = any(${providers}::text[])`) // there may be none
        .where((eb) => eb.or([isDueWaiting, isDueClosed]))
        .orderBy(sql`payment.asked_at nulls first`)
        .limit(MAX_CLAIMED)
        .forUpdate('payment')
        .skipLocked(),
    )
    .returning('id')
    .execute();
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => id);
  return await selectPayments(db)
    .innerJoin('productOrder', 'productOrder.id', 'payment.orderId')
    .select('productOrder.status as orderStatus')
    .where('payment.id', 'in', ids)
    .orderBy('payment.id')
    .execute();
}
