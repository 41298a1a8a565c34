import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LATENCY_BOUNDS_MS, latencyBucketOf, percentileMs } from './latency.ts';

test('a percentile lies in the bucket of the time at that rank', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 40_000, noNaN: true }), { minLength: 1 }), (times) => {
      const histogram = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);
      for (const ms of times) histogram[latencyBucketOf(ms)]! += 1;
      const sorted = times.toSorted((a, b) => a - b);
      for (const share of [0.5, 0.95]) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const bucket = latencyBucketOf(exact);
        const found = percentileMs(histogram, share);
        expect(found).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[bucket - 1] ?? 0);
        expect(found).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[bucket] ?? LATENCY_BOUNDS_MS.at(-1) ?? 0);
      }
    }),
  );
});

test('without requests there is no percentile', () => {
  expect(percentileMs([], 0.5)).toBeNull();
  expect(percentileMs([0, 0], 0.95)).toBeNull();
});
