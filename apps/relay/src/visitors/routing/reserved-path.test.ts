import { expect, test } from 'vitest';
import { createConsoleHostTest } from '../../routes/console-host.ts';
import { reservedPath } from './reserved-path.ts';

test.each([
  ['/.tongtu/verify?ticket=x', 'tongtu'],
  ['/.tongtu', 'tongtu'],
  ['/.Tongtu/x', 'tongtu'],
  ['//.tongtu/x', 'tongtu'],
  ['/%2etongtu/x', 'tongtu'],
  ['/%2E%74ongtu%2Fx', 'tongtu'],
  ['/./.tongtu/x', 'tongtu'],
  ['/internal/relay-control/', 'internal'],
  ['/internal', 'internal'],
  ['/INTERNAL/x', 'internal'],
  ['/%69nternal/x', 'internal'],
  ['//internal/x', 'internal'],
  ['/../internal/x', 'internal'],
  ['/%2e%2e/internal/x', 'internal'],
  ['/\\internal\\x', 'internal'],
  ['/', undefined],
  ['*', undefined],
  ['/index.html', undefined],
  ['/internals/x', undefined],
  ['/.tongtux', undefined],
  ['/.well-known/acme-challenge/x', undefined],
  ['/api/?next=/internal/', undefined],
])('%s is reserved for %s', (target, reserved) => {
  expect(reservedPath(target)).toBe(reserved);
});

test('the console answers under its names and under every IP address', () => {
  const isConsoleHost = createConsoleHostTest(['localhost', 'Example.com']);
  expect(['localhost', 'example.com', '127.0.0.1', '::1'].map(isConsoleHost)).toEqual([true, true, true, true]);
  expect(['nas.localhost', 'xlocalhost', '1.2.3', ''].map(isConsoleHost)).toEqual([false, false, false, false]);
});
