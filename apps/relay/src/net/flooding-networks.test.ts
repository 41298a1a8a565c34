import { expect, test } from 'vitest';
import { FloodingNetworks } from './flooding-networks.ts';

function startFloods() {
  let monotonicMs = 0;
  const floods = new FloodingNetworks(() => monotonicMs);
  return { floods, pass: (ms: number) => void (monotonicMs += ms) };
}

/** How many of so many connections at once begin at once, later and never. */
function begin(floods: FloodingNetworks, address: string, count: number) {
  const waits = Array.from({ length: count }, () => floods.waitMs(address));
  const waiting = waits.filter((ms) => ms !== undefined && ms > 0);
  return [waits.filter((ms) => ms === 0).length, waiting.length, waits.filter((ms) => ms === undefined).length];
}

test('a network that used up its work is remembered for ten minutes, and no other', () => {
  const { floods, pass } = startFloods();
  for (let turn = 0; turn < 1_999; turn++) expect(floods.admits('2001:db8::1', 1)).toBe(true);
  expect(floods.has('2001:db8::1')).toBe(false);
  expect(floods.admits('2001:db8::2', 1)).toBe(false);
  expect([floods.has('2001:db8::3'), floods.has('2001:db8:0:1::1')]).toEqual([true, false]);
  pass(599_999);
  expect(floods.has('2001:db8::1')).toBe(true);
  pass(1);
  expect(floods.has('2001:db8::1')).toBe(false);
  expect(floods.admits('2001:db8::1', 1)).toBe(true);
});

test('a network that works steadily within its rate is not remembered', () => {
  const { floods, pass } = startFloods();
  for (let second = 0; second < 60; second++) {
    expect(floods.admits('192.0.2.1', 200)).toBe(true);
    pass(1_000);
  }
});

test('hundreds of connections of a network begin at once, further ones wait for their turn', () => {
  const { floods, pass } = startFloods();
  expect(begin(floods, '192.0.2.1', 700)).toEqual([301, 300, 99]);
  expect(begin(floods, '192.0.2.2', 1)).toEqual([1, 0, 0]);
  pass(60_000);
  expect(begin(floods, '192.0.2.1', 300)).toEqual([300, 0, 0]);
});

test('connections of a network that floods begin slowly', () => {
  const { floods, pass } = startFloods();
  floods.admits('192.0.2.1', Infinity);
  expect(begin(floods, '192.0.2.1', 500)).toEqual([31, 300, 169]);
  pass(1_000);
  expect(begin(floods, '192.0.2.1', 500)).toEqual([0, 50, 450]);
});

test('only the networks that flooded last are remembered', () => {
  const { floods } = startFloods();
  const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  for (let index = 0; index < 10_001; index++) floods.admits(address(index), Infinity);
  expect([0, 1, 10_000].map((index) => floods.has(address(index)))).toEqual([false, true, true]);
});
