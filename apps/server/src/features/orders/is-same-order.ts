import type { BulkOrderCreate, OrderCreate } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findBulkProduct } from '../products/index.ts';
import type { OrderRow } from './order-store.ts';

/** Whether an order was made by this request, which has come again. */
export function isSameOrder(order: OrderRow, body: OrderCreate): boolean {
  if (order.kind !== body.kind || order.productId !== body.product_id || !hasAmount(order, body)) return false;
  if (order.kind !== 'new') return order.planId === null || order.planId === body.parent;
  // A plan that it has become may be on another device by now.
  return order.status !== 'open' || order.deviceId === (body.router ?? null);
}

/** The same for a bulk order. */
export async function isSameBulkOrder(tx: Db, order: OrderRow, body: BulkOrderCreate): Promise<boolean> {
  const { kind, quantity, placeId, productId } = order;
  if (kind !== 'bulk' || quantity !== body.quantity || placeId !== (body.place ?? null)) return false;
  const bulk = await findBulkProduct(tx, body.bulk_product_id);
  return bulk?.product.productId === productId && hasAmount(order, body);
}

function hasAmount({ amountFen }: OrderRow, { amount_fen: shownFen }: { amount_fen?: number | undefined }): boolean {
  return shownFen === undefined || shownFen === amountFen;
}
