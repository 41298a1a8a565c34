import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';

test.each([
  [[], {}, true],
  [['--no-discovery'], {}, false],
  [[], { TONGTU_DISCOVERY: 'off' }, false],
  [[], { TONGTU_DISCOVERY: 'on' }, true],
  [['--no-discovery'], { TONGTU_DISCOVERY: 'on' }, false],
])('with %j and %j the LAN may be scanned: %s', (args, env, discovery) => {
  expect(readArguments(['--state', 'x', ...args], env)).toMatchObject({ discovery });
});

test('a value that might have meant off is refused', () => {
  expect(() => readArguments(['--state', 'x'], { TONGTU_DISCOVERY: 'false' })).toThrow('TONGTU_DISCOVERY');
});
