import { knownServices } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { isReservedPrefix } from './reserved-prefix.ts';

test.each(['www', 'api', 'admin', 'console', 'login', 'pay', 'tongtu', 'welcome', 'localhost', 'ns1', 'internal'])(
  '%s is reserved',
  (prefix) => expect(isReservedPrefix(prefix, new Set(['panel']))).toBe(true),
);

test.each(['adm1n', 'admln', 'l0gin', 'log-in', '1ogin', 'c0ns0le', 'a-p-i', 'adrnin', 'vvvvvv'])(
  '%s is refused when it looks like a reserved name',
  (prefix) => expect(isReservedPrefix(prefix, new Set(['panel']))).toBe(true),
);

test('the names of the console are reserved', () => expect(isReservedPrefix('panel', new Set(['panel']))).toBe(true));

test.each([
  'nas',
  'panels',
  'bar',
  'gated',
  'photos',
  'admin2',
  'my-api',
  'hui',
  'mailbox',
  'paypa1',
  'echo',
  'a',
  '0',
])('%s is free', (prefix) => expect(isReservedPrefix(prefix, new Set(['panel']))).toBe(false));

test.each(Object.values(knownServices).map(({ prefix }) => prefix))('the preset’s %s is free', (prefix) =>
  expect(isReservedPrefix(prefix, new Set(['panel']))).toBe(false),
);
