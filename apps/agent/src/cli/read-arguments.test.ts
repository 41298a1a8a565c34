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

test.each([
  [[], {}, true],
  [['--no-bbr'], {}, false],
  [[], { TONGTU_BBR: 'off' }, false],
  [['--no-bbr'], { TONGTU_BBR: 'on' }, false],
])('with %j and %j bbr is used: %s', (args, env, bbr) => {
  expect(readArguments(['--state', 'x', ...args], env)).toMatchObject({ bbr });
});

test.each([
  ['no state folder', ['--server', 'http://127.0.0.1']],
  ['an unknown option', ['--stat', 'x']],
  ['a word too many', ['--state', 'x', 'y']],
  ['an address of another kind', ['--state', 'x', '--server', 'tcp://x']],
  ['a pin that is none', ['--state', 'x', '--pin', 'abc']],
])('%s is wrong usage, said in Chinese', (_, args) => {
  const wrong = { code: 'usage.invalid', exitCode: 2, message: expect.stringMatching(/^\p{Script=Han}/u) };
  expect(() => readArguments(args, {})).toThrow(expect.objectContaining(wrong));
});

test('a value that might have meant off is refused', () => {
  for (const name of ['TONGTU_DISCOVERY', 'TONGTU_BBR'])
    expect(() => readArguments(['--state', 'x'], { [name]: 'false' })).toThrow(name);
});
