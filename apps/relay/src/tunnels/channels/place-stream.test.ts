import { expect, test } from 'vitest';
import { type ChannelLoad, isPlacedWell, placeStream } from './place-stream.ts';

const idle = { silentMs: 0, patienceMs: 200, isBulk: false, backlogBytes: 0, busyCount: 0 };

const spread = { isSpread: true };

function channels(...loads: Partial<ChannelLoad>[]): ChannelLoad[] {
  return loads.map((load, number) => ({ ...idle, number, ...load }));
}

test.each<[string, ChannelLoad[], number]>([
  ['the first of several that are idle', channels({}, {}), 0],
  ['the one with fewer streams', channels({ busyCount: 2 }, { busyCount: 1 }), 1],
  ['one with more streams, but less that waits', channels({ backlogBytes: 300_000 }, { busyCount: 5 }), 1],
  ['one with a backlog rather than one with a long transfer', channels({ isBulk: true }, { backlogBytes: 1e6 }), 1],
  ['one with a long transfer rather than a silent one', channels({ silentMs: 201 }, { isBulk: true }), 1],
  ['one that may still answer in time', channels({ busyCount: 1 }, { silentMs: 199 }), 1],
  ['a silent one rather than one without a connection', channels({ silentMs: Infinity }, { silentMs: 9e9 }), 1],
  ['of those without a connection any', channels({ silentMs: Infinity }, { silentMs: Infinity }), 0],
])('a stream goes to %s', (_what, all, number) => {
  expect(placeStream(all, spread)?.number).toBe(number);
});

test('a stream stays where it is if other channels are as good, and moves if one is better', () => {
  const [, second, third] = channels({}, {}, { busyCount: 1 });
  const all = channels({}, {}, { busyCount: 1 });
  expect([isPlacedWell(second!, all, spread), isPlacedWell(third!, all, spread)]).toEqual([true, false]);
});

test('on a good line streams go together, unless others wait or a long transfer is there', () => {
  const together = { isSpread: false };
  expect(placeStream(channels({ busyCount: 9 }, {}), together)?.number).toBe(0);
  expect(placeStream(channels({ busyCount: 9, backlogBytes: 300_000 }, {}), together)?.number).toBe(1);
  expect(placeStream(channels({ isBulk: true }, { busyCount: 9 }), together)?.number).toBe(1);
});
