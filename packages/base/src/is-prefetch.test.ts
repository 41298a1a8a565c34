import { expect, test } from 'vitest';
import { isPrefetch } from './is-prefetch.ts';

test.each([
  [{}, false],
  [{ 'sec-purpose': 'prefetch' }, true],
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ purpose: 'preview' }, false],
])('with %j: %s', (headers: Record<string, string>, expected) => {
  expect(isPrefetch((name) => headers[name])).toBe(expected);
});
