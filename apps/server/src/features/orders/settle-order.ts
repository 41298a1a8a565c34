import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import type { AuditActor } from '../audit/index.ts';
import { announceOrders } from '../live/index.ts';
import { renewPlan, startPlan, takeBack, termsOf, upgradePlan } from '../plans/index.ts';
import { deliverKeys, voidKeysOfOrder } from '../product-keys/index.ts';
import {
  addRefunded,
  findOrder,
  hasLaterUpgrade,
  lockOpenOrdersOfUser,
  lockOrder,
  markClosed,
  markPaid,
  type OrderRow,
} from './order-store.ts';

export type OrderDeps = { sealingKey: Buffer };

/**
 * Gives what an order is for, once. `impossible`: it is paid or closed already, or cannot be fulfilled any more; its payment
 * then goes back. An order that cannot be fulfilled is closed. Call it in the transaction that enters the payment.
 */
export async function settleOrder(deps: OrderDeps, tx: Db, orderId: number): Promise<'settled' | 'impossible'> {
  const order = await lockWithAccount(tx, orderId);
  if (order?.status !== 'open') return 'impossible';
  const outcome = order.userId === null ? undefined : await fulfil(deps, tx, { ...order, userId: order.userId });
  if (outcome === undefined) await markClosed(tx, orderId);
  else {
    await markPaid(tx, orderId, outcome.planId);
  }
  if (order.userId !== null) await announceOrders(tx, order.userId);
  return outcome === undefined ? 'impossible' : 'settled';
}

/** Closes an open order. False if it was not open. */
export async function closeOrder(tx: Db, orderId: number): Promise<boolean> {
  const order = await lockWithAccount(tx, orderId);
  if (order?.status !== 'open') return false;
  await markClosed(tx, orderId);
  if (order.userId !== null) await announceOrders(tx, order.userId);
  return true;
}

/** Closes the open orders of an account that is deleted. Jobs close their payments, and what is paid goes back. */
export async function closeOrdersOfUser(tx: Db, userId: number): Promise<void> {
  for (const orderId of await lockOpenOrdersOfUser(tx, userId)) await markClosed(tx, orderId);
}

/**
 * Adds to what was returned of a paid order, and takes back what it gave when all is returned. Throws
 * refund.keys-redeemed, and refund.upgrade-first where a later upgrade of the plan is still paid: it would be left without
 * what it improves. Call it in the transaction that inserts the refund, whose sum the caller has checked.
 */
export async function refundInOrder(
  tx: Db,
  { orderId, amountFen, actor }: { orderId: number; amountFen: number; actor: AuditActor },
): Promise<void> {
  const order = must(await lockWithAccount(tx, orderId), 'the refunded order');
  await addRefunded(tx, orderId, amountFen);
  if (order.userId !== null) await announceOrders(tx, order.userId);
  if (order.refundedFen + amountFen < order.amountFen) return;
  if (order.kind === 'bulk') await voidKeysOfOrder(tx, orderId, actor);
  else if (await hasLaterUpgrade(tx, order)) throw new AppError('refund.upgrade-first');
  const { userId, planId, days, productId, replacedTerms } = order;
  if (userId === null || planId === null) return; // the account is deleted, and its plans with it
  await takeBack(tx, { userId, planId, days, productId, replacedTerms: replacedTerms ?? undefined });
}

/** Locks the account first, as all changes of its plans and orders do. */
async function lockWithAccount(tx: Db, orderId: number): Promise<OrderRow | undefined> {
  const order = await findOrder(tx, orderId);
  if (order === undefined) return undefined;
  if (order.userId !== null) await lockUserForNoKeyUpdate(tx, order.userId);
  return await lockOrder(tx, orderId);
}

/** Undefined where what was ordered cannot be given any more. */
async function fulfil(
  { sealingKey }: OrderDeps,
  tx: Db,
  order: OrderRow & { userId: number },
): Promise<{ planId: number | null } | undefined> {
  const { id: orderId, userId, planId, deviceId, replacedTerms, quantity, placeId } = order;
  const terms = termsOf(order);
  switch (order.kind) {
    case 'new':
      await startPlan(tx, { userId, orderId, deviceId, terms });
      return { planId: orderId };
    case 'renew':
      return planId !== null && (await renewPlan(tx, { userId, planId, terms })) ? { planId } : undefined;
    case 'upgrade': {
      if (planId === null || replacedTerms === null) return undefined;
      const upgrade = { userId, planId, terms, from: replacedTerms, paidFen: order.amountFen };
      return (await upgradePlan(tx, upgrade)) ? { planId } : undefined;
    }
    case 'bulk':
      await deliverKeys(tx, sealingKey, { orderId, terms, quantity, placeId });
      return { planId: null };
    case 'key':
    case 'reward':
      return undefined; // they are never open
  }
}
