import { expect, test } from 'vitest';
import { bulkPrice, smallestQuantity } from './bulk-price.ts';

const tiers = [
  { from: 100, percent: 80 },
  { from: 10, percent: 95 },
  { from: 50, percent: 85 },
];
const bulk = { tiers, product: { price_fen: 2_599 } };

test.each([
  [9, undefined],
  [10, 24_690],
  [49, 120_983],
  [50, 110_457],
  [99, 218_705],
  [1_000, 2_079_200],
])('%d keys cost %d 分', (quantity, amountFen) => {
  expect(bulkPrice(bulk, quantity)?.amountFen).toBe(amountFen);
});

test('the largest price is exact', () => {
  const largest = { tiers: [{ from: 1, percent: 99 }], product: { price_fen: 99_999_999 } };
  expect(bulkPrice(largest, 1_000)?.amountFen).toBe(98_999_999_010);
  expect(smallestQuantity(bulk)).toBe(10);
});
