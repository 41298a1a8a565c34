import { AppError, MAX_FEN, MAX_PLAN_DAYS_AHEAD, type BulkOrderCreate, type OrderCreate } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  bulkPriceFen,
  canRenewWith,
  canUpgradeTo,
  countLiveFreePlans,
  findPlan,
  findPlanOfDevice,
  isReplaceable,
  ownsDevice,
  type PlanRow,
  type PlanTerms,
  remainingSeconds,
  termsOf,
  upgradePriceFen,
  wouldReachTooFar,
} from '../plans/index.ts';
import { findBulkProduct, findProduct } from '../products/index.ts';
import { countRecentFreeOrders, maySellAt, type NewOrder } from './order-store.ts';

/** What an order is for and what it costs, as far as the product and the present plan decide it. */
export type PricedOrder = Pick<
  NewOrder,
  'kind' | 'terms' | 'quantity' | 'amountFen' | 'deviceId' | 'planId' | 'placeId' | 'replacedTerms'
>;

const FREE_PER_WEEK = 1;
const MAX_FREE_PLANS = 2;

/**
 * Checks an order against the catalogue and the caller's plans, whose account is locked. Throws product.not-found,
 * device.not-found, plan.not-found, plan.device-has-plan, plan.not-renewable, plan.not-upgradable, plan.too-far-ahead,
 * order.free-limit.
 */
export async function priceOrder(tx: Db, userId: number, body: OrderCreate): Promise<PricedOrder> {
  const product = await findProduct(tx, body.product_id);
  if (!product?.listed) throw new AppError('product.not-found');
  const terms = termsOf(product);
  const order = { terms, quantity: 1, deviceId: null, planId: null, placeId: null, replacedTerms: null };
  switch (body.kind) {
    case 'new': {
      const deviceId = body.router ?? null;
      if (deviceId !== null) await assertFreeDevice(tx, { userId, deviceId }, terms);
      if (terms.priceFen === 0) await assertMayHaveFree(tx, userId);
      return { ...order, kind: 'new', amountFen: terms.priceFen, deviceId };
    }
    case 'renew': {
      const plan = await getOwnPlan(tx, userId, body.parent);
      if (!canRenewWith(plan, terms)) throw new AppError('plan.not-renewable');
      if (await wouldReachTooFar(tx, plan.id, terms.days, MAX_PLAN_DAYS_AHEAD))
        throw new AppError('plan.too-far-ahead');
      return { ...order, kind: 'renew', amountFen: terms.priceFen, deviceId: plan.deviceId, planId: plan.id };
    }
    case 'upgrade': {
      const plan = await getOwnPlan(tx, userId, body.parent);
      if (plan.isExpired) throw new AppError('plan.not-found');
      if (!canUpgradeTo(plan, terms)) throw new AppError('plan.not-upgradable');
      const amountFen = upgradePriceFen(plan, terms, await remainingSeconds(tx, plan.id));
      const { id: planId, deviceId } = plan;
      return { ...order, kind: 'upgrade', amountFen, deviceId, planId, replacedTerms: termsOf(plan) };
    }
  }
}

/** Throws product.not-found, request.invalid for too small a quantity, place.not-found, order.too-large. */
export async function priceBulkOrder(
  tx: Db,
  user: { id: number; isStaff: boolean },
  body: BulkOrderCreate,
): Promise<PricedOrder> {
  const { quantity, place: placeId = null } = body;
  const bulk = await findBulkProduct(tx, body.bulk_product_id);
  // The tiers come in the order of their quantities.
  const [smallest] = bulk?.tiers ?? [];
  if (!bulk?.listed || !bulk.product.listed || !smallest) throw new AppError('product.not-found');
  const tier = bulk.tiers.findLast(({ from }) => from <= quantity);
  if (!tier) throw tooFew(smallest.from);
  if (placeId !== null && !(await maySellAt(tx, placeId, user))) throw new AppError('place.not-found');
  const terms = termsOf(bulk.product);
  const amountFen = bulkPriceFen(terms.priceFen, quantity, tier.percent);
  if (amountFen > MAX_FEN) throw new AppError('order.too-large');
  return { kind: 'bulk', terms, quantity, amountFen, deviceId: null, planId: null, placeId, replacedTerms: null };
}

function tooFew(smallest: number): AppError {
  return new AppError('request.invalid', {
    fields: { quantity: [{ zh: `至少购买 ${smallest} 个`, en: `Buy ${smallest} at least` }] },
  });
}

async function assertFreeDevice(
  tx: Db,
  { userId, deviceId }: { userId: number; deviceId: number },
  terms: PlanTerms,
): Promise<void> {
  if (!(await ownsDevice(tx, { id: deviceId, userId }))) throw new AppError('device.not-found');
  const present = await findPlanOfDevice(tx, deviceId);
  if (present !== undefined && !isReplaceable(present, terms)) throw new AppError('plan.device-has-plan');
}

async function assertMayHaveFree(tx: Db, userId: number): Promise<void> {
  const recent = await countRecentFreeOrders(tx, userId);
  const live = await countLiveFreePlans(tx, userId);
  if (recent >= FREE_PER_WEEK || live >= MAX_FREE_PLANS) throw new AppError('order.free-limit');
}

/** Also an expired plan, which can be renewed. */
async function getOwnPlan(tx: Db, userId: number, planId: number | undefined): Promise<PlanRow> {
  const plan = planId === undefined ? undefined : await findPlan(tx, planId);
  if (plan?.userId !== userId) throw new AppError('plan.not-found');
  return plan;
}
