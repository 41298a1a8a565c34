import { expect, test } from 'vitest';
import {
  bulkPriceFen,
  canRenewWith,
  canUpgradeTo,
  type PlanTerms,
  termsAfterRenewal,
  upgradePriceFen,
} from './plan-prices.ts';

const standard: PlanTerms = {
  ...{ productId: 2, productName: '标准版', days: 365, bandwidthBps: 4_000_000, mappingLimit: 12, priceFen: 2_600 },
  appKinds: ['ssh', 'vnc'],
};
const advanced: PlanTerms = { ...standard, productId: 3, bandwidthBps: 8_000_000, mappingLimit: 20, priceFen: 7_800 };
const YEAR_SECONDS = 365 * 86_400;

test('an upgrade on the first day costs the difference, and half of it after half of the time', () => {
  expect(upgradePriceFen(standard, advanced, YEAR_SECONDS)).toBe(5_200);
  expect(upgradePriceFen(standard, advanced, YEAR_SECONDS / 2)).toBe(2_600);
});

test('a begun hour and a begun fen count in full', () => {
  const [oneHour, twoHours] = [3_600, 7_200].map((seconds) => upgradePriceFen(standard, advanced, seconds));
  expect(upgradePriceFen(standard, advanced, 1)).toBe(oneHour);
  expect(upgradePriceFen(standard, advanced, 3_601)).toBe(twoHours);
  expect(oneHour).toBe(1); // 5200 fen / 8760 h
});

test('products of other lengths are compared by the price of an hour', () => {
  const monthly: PlanTerms = { ...advanced, days: 30, priceFen: 900 };
  // 30 fen a day instead of 2600 / 365 for 10 days: 300 - 71.23.
  expect(upgradePriceFen(standard, monthly, 10 * 86_400)).toBe(229);
});

test('the largest prices stay exact', () => {
  const free = { ...standard, priceFen: 1, days: 730 };
  const dear = { ...advanced, priceFen: 100_000_000, days: 1 };
  expect(upgradePriceFen(free, dear, 730 * 86_400)).toBe(72_999_999_999);
});

test('upgrading in two steps never costs less than at once, whatever the prices are', () => {
  let seed = 7;
  const random = (max: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 1 + (seed % max);
  };
  for (let round = 0; round < 2_000; round++) {
    const [low, middle, high] = [random(5_000), random(5_000), random(5_000)].toSorted((a, b) => a - b);
    const terms = [low, middle, high].map((priceFen) => ({ ...standard, priceFen: priceFen ?? 1 }));
    const [first = standard, second = standard, third = standard] = terms;
    const left = random(YEAR_SECONDS);
    const atOnce = upgradePriceFen(first, third, left);
    expect(upgradePriceFen(first, second, left) + upgradePriceFen(second, third, left)).toBeGreaterThanOrEqual(atOnce);
    expect(Number.isInteger(atOnce)).toBe(true);
  }
});

test('an upgrade loses nothing and is dearer; a free plan is not upgraded but replaced', () => {
  expect(canUpgradeTo(standard, advanced)).toBe(true);
  expect(canUpgradeTo(advanced, standard)).toBe(false);
  expect(canUpgradeTo(standard, standard)).toBe(false);
  expect(canUpgradeTo(standard, { ...advanced, mappingLimit: 5 })).toBe(false);
  expect(canUpgradeTo(standard, { ...advanced, appKinds: ['ssh'] })).toBe(false);
  expect(canUpgradeTo({ ...standard, priceFen: 0 }, advanced)).toBe(false);
});

test('a plan is renewed with the same bandwidth', () => {
  expect(canRenewWith(standard, { ...standard, days: 30, priceFen: 300 })).toBe(true);
  expect(canRenewWith(standard, advanced)).toBe(false);
  expect(canRenewWith(standard, { ...standard, priceFen: 0 })).toBe(false);
});

test('a renewal by another product gives no more of anything for the time that is left', () => {
  const other = { ...standard, productId: 9 };
  expect(canRenewWith(standard, other)).toBe(true);
  expect(canRenewWith(standard, { ...other, mappingLimit: 20 })).toBe(false);
  expect(canRenewWith(standard, { ...other, appKinds: ['ssh', 'vnc', 'rdp'] })).toBe(false);
  expect(canRenewWith(standard, { ...standard, mappingLimit: 20 })).toBe(true); // staff has changed the product
});

test('a dear month does not make the upgrade of a cheap year cheaper', () => {
  const month: PlanTerms = { ...standard, productId: 9, days: 30, priceFen: 600 };
  const seconds = YEAR_SECONDS + 30 * 86_400;

  const renewed = termsAfterRenewal(standard, month);

  expect(renewed).toMatchObject({ productId: 9, days: 365, priceFen: 2_600 });
  expect(upgradePriceFen(renewed, advanced, seconds)).toBe(upgradePriceFen(standard, advanced, seconds));
  expect(termsAfterRenewal(month, standard)).toEqual(standard);
});

test('a bulk order is discounted as a whole', () => {
  expect(bulkPriceFen(2_600, 10, 90)).toBe(23_400);
  expect(bulkPriceFen(3, 1, 50)).toBe(1);
});
