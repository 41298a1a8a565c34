import { expect, test } from 'vitest';
import { fuzzHttp1 } from '../../testing/http1-fuzz/fuzz-http1.ts';

// bench/fuzz-http1.ts runs millions, with other seeds.
test('llhttp reads what the relay accepts in the same way, before and after forwarding', { timeout: 120_000 }, () => {
  const totals = fuzzHttp1({ count: 25_000, seed: 20261121 });
  expect(totals.requests).toBeGreaterThan(5_000);
  expect(totals.answers).toBeGreaterThan(5_000);
  expect(totals.cuts).toBeGreaterThan(10_000);
});
