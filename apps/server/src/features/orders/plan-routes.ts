import { MAX_PLAN_DAYS_AHEAD, type Plan } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { canUpgradeTo, type ListedPlan, listPlans, type PlanFilter, upgradePriceFen } from '../plans/index.ts';
import { listProducts, type ProductRow, termsReply } from '../products/index.ts';

const DAY_MS = 86_400_000;
/** All that are for sale at a time: a catalogue is read by people. */
const MAX_SHOWN_PRODUCTS = 500;

/** Plans that are not over, with what they cost to renew and to upgrade. */
export function registerPlanRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/product/orders-nonfree-valid/', { login: 'required' }, async ({ query, session }) => {
    const { router, unbound, ...page } = query;
    const filter: PlanFilter = {
      ...{ userId: session.userId, isNonfree: true, isUnbound: unbound === 'true' },
      ...(router !== undefined && { deviceId: router }),
    };
    const { count, results } = await describePlans(db, filter, page);
    return { count, ...pageLinks('/api/user/product/orders-nonfree-valid/', query, count), results };
  });
  mount(app, 'GET /api/user/product/plans/', { login: 'required' }, async ({ query, session }) => {
    const { count, results } = await describePlans(db, { userId: session.userId }, query);
    return { count, ...pageLinks('/api/user/product/plans/', query, count), results };
  });
}

async function describePlans(
  db: Db,
  filter: PlanFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; results: Plan[] }> {
  const { count, plans } = await listPlans(db, filter, page);
  const { products } = await listProducts(db, { limit: MAX_SHOWN_PRODUCTS, offset: 0, onlyListed: true });
  const now = await readClock(db);
  return { count, results: plans.map((plan) => describePlan(plan, products, now)) };
}

function describePlan(plan: ListedPlan, products: ProductRow[], now: Date): Plan {
  const remainingSeconds = (plan.endsAt.getTime() - now.getTime()) / 1_000;
  const upgrades = products.filter((product) => canUpgradeTo(plan, product));
  const { renewal, renewableFrom } = renewalOf(plan, products, now);
  return {
    id: plan.id,
    product: termsReply(plan),
    is_free: plan.priceFen === 0,
    starts_at: plan.startsAt.toISOString(),
    ends_at: plan.endsAt.toISOString(),
    router: plan.deviceId,
    router_name: plan.deviceName ?? '',
    renewable_until: renewal && inDays(now, MAX_PLAN_DAYS_AHEAD).toISOString(),
    renewal,
    renewable_from: renewableFrom?.toISOString() ?? null,
    upgrades: upgrades.map((product) => ({
      product: termsReply(product),
      amount_fen: upgradePriceFen(plan, product, remainingSeconds),
    })),
  };
}

type Renewal = { renewal: Plan['renewal']; renewableFrom?: Date };

/** None for a free plan and for a product that is no longer for sale; later where it would reach too far ahead now. */
function renewalOf(plan: ListedPlan, products: ProductRow[], now: Date): Renewal {
  const product = products.find(({ productId }) => productId === plan.productId);
  if (product === undefined || product.priceFen === 0) return { renewal: null };
  const endsAt = inDays(plan.endsAt, product.days);
  if (endsAt > inDays(now, MAX_PLAN_DAYS_AHEAD)) {
    return { renewal: null, renewableFrom: inDays(endsAt, -MAX_PLAN_DAYS_AHEAD) };
  }
  return { renewal: { amount_fen: product.priceFen, ends_at: endsAt.toISOString() } };
}

function inDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY_MS);
}
