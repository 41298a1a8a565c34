const DAY_SECONDS = 86_400;

/** What is sold: the terms of a product at the time of the order, with its price. */
export type PlanTerms = {
  productId: number;
  productName: string;
  days: number;
  bandwidthBps: number;
  mappingLimit: number;
  appKinds: string[];
  /** Price of the product. An order may have cost another amount. */
  priceFen: number;
};

/** Whether a plan with `before` can be renewed with `after`: the same bandwidth, and nothing that it has gets lost. */
export function canRenewWith(before: PlanTerms, after: PlanTerms): boolean {
  return after.priceFen > 0 && before.bandwidthBps === after.bandwidthBps && keepsAll(before, after);
}

/** Whether a plan with `before` can be upgraded to `after`: nothing gets lost, and a day of it costs more. */
export function canUpgradeTo(before: PlanTerms, after: PlanTerms): boolean {
  const isDearer = after.priceFen * before.days > before.priceFen * after.days;
  return before.priceFen > 0 && isDearer && after.bandwidthBps >= before.bandwidthBps && keepsAll(before, after);
}

function keepsAll(before: PlanTerms, after: PlanTerms): boolean {
  return after.mappingLimit >= before.mappingLimit && before.appKinds.every((kind) => after.appKinds.includes(kind));
}

/**
 * The price of an upgrade: the difference of the prices of a day, for the remaining time, rounded up to a whole fen. At
 * least one fen. The products stay within 2^63, but not within 2^53.
 */
export function upgradePriceFen(before: PlanTerms, after: PlanTerms, remainingSeconds: number): number {
  const perDays = BigInt(after.priceFen) * BigInt(before.days) - BigInt(before.priceFen) * BigInt(after.days);
  const dividend = perDays * BigInt(Math.max(0, Math.ceil(remainingSeconds)));
  const divisor = BigInt(before.days) * BigInt(after.days) * BigInt(DAY_SECONDS);
  return Math.max(1, Number((dividend + divisor - 1n) / divisor));
}

/** What this many keys cost at so many percent of their price: rounded down for the whole order. */
export function bulkPriceFen(priceFen: number, quantity: number, percent: number): number {
  return Number((BigInt(priceFen) * BigInt(quantity) * BigInt(percent)) / 100n);
}
