import type { BulkProduct } from '@tongtu/contract';

type Priced = { tiers: BulkProduct['tiers']; product: { price_fen: number } };
export type BulkPrice = { percent: number; originalFen: number; amountFen: number };

/** The smallest quantity that has a price. */
export function smallestQuantity({ tiers }: Pick<Priced, 'tiers'>): number {
  return Math.min(...tiers.map(({ from }) => from));
}

/**
 * What so many keys cost: the price of the tier with the largest `from` that the quantity reaches, rounded down for the
 * whole order. Undefined below the first tier. The server decides; it refuses an order at another price.
 */
export function bulkPrice({ tiers, product }: Priced, quantity: number): BulkPrice | undefined {
  const reached = tiers.filter(({ from }) => from <= quantity).toSorted((one, other) => other.from - one.from)[0];
  if (!reached) return undefined;
  const originalFen = product.price_fen * quantity;
  // 100 000 000 fen × 1000 keys × 100 percent are below 2^53, so this is exact.
  return { percent: reached.percent, originalFen, amountFen: Math.floor((originalFen * reached.percent) / 100) };
}
