import type { Order } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';

/** The order of a redeemed key: paid without a payment. */
export async function getKeyOrder(db: Db, orderId: number): Promise<Order> {
  const row = await db.selectFrom('productOrder').where('id', '=', orderId).selectAll().executeTakeFirstOrThrow();
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    status: row.status,
    product: {
      id: row.productId,
      name: row.productName,
      days: row.days,
      bandwidth_bps: row.bandwidthBps,
      mapping_limit: row.mappingLimit,
      app_kinds: row.appKinds as Order['product']['app_kinds'], // products are written by their schema
    },
    quantity: row.quantity,
    amount_fen: row.amountFen,
    refunded_fen: row.refundedFen,
    plan: row.planId,
    router: row.deviceId,
    created_at: row.createdAt.toISOString(),
    closes_at: null,
    paid_at: row.paidAt?.toISOString() ?? null,
    pay: null,
    providers: [],
  };
}
