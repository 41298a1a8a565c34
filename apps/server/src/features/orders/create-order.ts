import { must } from '@tongtu/base';
import { AppError, MAX_OPEN_ORDERS, ORDER_OPEN_HOURS, PAYMENT_TERMS_VERSION } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceOrders } from '../live/index.ts';
import { newNumber } from '../plans/index.ts';
import {
  countOpenOrders,
  findOrder,
  findOrderByUuid,
  hasAcceptedTerms,
  insertOrder,
  type NewOrder,
  type OrderRow,
} from './order-store.ts';
import type { PricedOrder } from './price-order.ts';
import { type OrderDeps, settleOrder } from './settle-order.ts';

export type OrderRequest = {
  userId: number;
  uuid: string;
  /** The price that the buyer was shown. */
  shownFen: number | undefined;
  /** Whether there is a way to pay at all. */
  canBePaid: boolean;
  /** Whether an order that has the uuid was made by this request. */
  isSame: (tx: Db, present: OrderRow) => boolean | Promise<boolean>;
  /** What is ordered; called with the account locked. */
  price: (tx: Db) => Promise<PricedOrder>;
};

/**
 * Creates an order, or returns the one that was created with this uuid: also when two requests with it come at once. An order
 * that costs nothing is settled at once. Throws order.uuid-taken, order.price-changed, order.too-many-open,
 * payment.terms-required, payment.provider-unknown, and what `price` throws.
 */
export async function createOrder(deps: OrderDeps, db: Db, request: OrderRequest): Promise<OrderRow> {
  const { userId, uuid } = request;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    const present = await findOrderByUuid(tx, userId, uuid);
    if (present !== undefined) {
      if (!(await request.isSame(tx, present))) throw new AppError('order.uuid-taken');
      return present;
    }
    const order = await request.price(tx);
    await assertMayOrder(tx, request, order);
    const row: NewOrder = { ...order, number: newNumber('T'), userId, uuidFromClient: uuid };
    const id = await insertOrder(tx, row, ORDER_OPEN_HOURS);
    if (order.amountFen === 0 && (await settleOrder(deps, tx, id)) === 'impossible')
      throw new Error('a free order that was checked under the lock cannot be settled');
    await announceOrders(tx, userId);
    return must(await findOrder(tx, id), 'the new order');
  });
}

async function assertMayOrder(tx: Db, request: OrderRequest, { amountFen }: PricedOrder): Promise<void> {
  const { userId, shownFen } = request;
  if (shownFen !== undefined && shownFen !== amountFen) throw new AppError('order.price-changed');
  if (amountFen === 0) return;
  if (!request.canBePaid) throw new AppError('payment.provider-unknown');
  if (!(await hasAcceptedTerms(tx, userId, PAYMENT_TERMS_VERSION))) throw new AppError('payment.terms-required');
  if ((await countOpenOrders(tx, userId)) >= MAX_OPEN_ORDERS) throw new AppError('order.too-many-open');
}
