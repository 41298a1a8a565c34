import type { CloudAppKind } from '@tongtu/contract';

const HOUR_SECONDS = 3_600;
const HOURS_PER_DAY = 24n;

/** What is sold: the terms of a product at the time of the order, with its price. */
export type PlanTerms = {
  productId: number;
  productName: string;
  days: number;
  bandwidthBps: number;
  mappingLimit: number;
  appKinds: CloudAppKind[];
  /** Price of the product. An order may have cost another amount. */
  priceFen: number;
};

/**
 * Whether `after` can be bought to renew a plan with `before`: the same product, or one that has no more either, because the
 * plan gets these terms for the time that is left, too.
 */
export function canRenewWith(before: PlanTerms, after: PlanTerms): boolean {
  const isSame = after.productId === before.productId || keepsAll(after, before);
  return after.priceFen > 0 && isSame && canExtendWith(before, after);
}

/**
 * What a plan has after a renewal. An upgrade deducts the plan's price of an hour for all of its time, so a renewal never
 * raises it: otherwise one dear month would make the upgrade of two cheap years cheaper.
 */
export function termsAfterRenewal(before: PlanTerms, after: PlanTerms): PlanTerms {
  const { days, priceFen } = before;
  return priceFen > 0 && isDearer(before, after) ? { ...after, days, priceFen } : after;
}

/** Whether a plan with `before` can get more days with `after`: the same bandwidth, and nothing that it has gets lost. */
export function canExtendWith(before: PlanTerms, after: PlanTerms): boolean {
  return before.bandwidthBps === after.bandwidthBps && keepsAll(before, after);
}

/** Whether a plan with `before` can be upgraded to `after`: nothing gets lost, and a day of it costs more. */
export function canUpgradeTo(before: PlanTerms, after: PlanTerms): boolean {
  return (
    before.priceFen > 0 &&
    isDearer(before, after) &&
    after.bandwidthBps >= before.bandwidthBps &&
    keepsAll(before, after)
  );
}

function isDearer(before: PlanTerms, after: PlanTerms): boolean {
  return after.priceFen * before.days > before.priceFen * after.days;
}

function keepsAll(before: PlanTerms, after: PlanTerms): boolean {
  return after.mappingLimit >= before.mappingLimit && before.appKinds.every((kind) => after.appKinds.includes(kind));
}

/**
 * The price of an upgrade: the difference of the prices of an hour, for the hours that are left. A begun hour and a begun fen
 * count in full, so the price that a buyer is shown stays for up to an hour. The products below exceed 2^53.
 */
export function upgradePriceFen(before: PlanTerms, after: PlanTerms, remainingSeconds: number): number {
  const hours = BigInt(Math.max(0, Math.ceil(remainingSeconds / HOUR_SECONDS)));
  const perDays = BigInt(after.priceFen) * BigInt(before.days) - BigInt(before.priceFen) * BigInt(after.days);
  const divisor = BigInt(before.days) * BigInt(after.days) * HOURS_PER_DAY;
  return Math.max(1, Number((perDays * hours + divisor - 1n) / divisor));
}

/** What this many keys cost at so many percent of their price: rounded down for the whole order. */
export function bulkPriceFen(priceFen: number, quantity: number, percent: number): number {
  return Number((BigInt(priceFen) * BigInt(quantity) * BigInt(percent)) / 100n);
}
