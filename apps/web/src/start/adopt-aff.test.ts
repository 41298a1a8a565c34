import { afterEach, expect, test } from 'vitest';
import { adoptAff } from './adopt-aff.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

test.each([
  ['/?aff=ABCD2345', '/#/?aff=ABCD2345'],
  ['/?aff=ABCD2345#/login', '/#/login?aff=ABCD2345'],
  ['/?from=group&aff=A#/login?url=%23%2Frecord', '/?from=group#/login?url=%23%2Frecord&aff=A'],
  ['/?aff=A#/login?aff=B', '/#/login?aff=B'],
  ['/?aff=#/login', '/#/login'],
  ['/?from=group#/login?aff=B', '/?from=group#/login?aff=B'],
])('%s becomes %s', (before, after) => {
  window.history.replaceState({ kept: true }, '', before);
  adoptAff();
  expect(window.location.href).toBe(new URL(after, window.location.origin).href);
  expect(window.history.state).toEqual({ kept: true });
});
