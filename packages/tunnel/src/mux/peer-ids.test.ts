import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeerIds } from './peer-ids.ts';

test('each id may be used once, out of order as from a few threads', () => {
  const ids = fc
    .uniqueArray(fc.nat({ max: 60 }), { maxLength: 60 })
    .map((halves) => halves.map((half) => 2 * half + 1));
  fc.assert(
    fc.property(ids, (order) => {
      const peerIds = new PeerIds(1);
      expect(order.map((id) => peerIds.use(id))).toEqual(order.map(() => true));
      expect(order.map((id) => peerIds.use(id))).toEqual(order.map(() => false));
    }),
  );
});

test('a peer that skips ids again and again loses only the oldest gaps', () => {
  const peerIds = new PeerIds(2);
  for (let leap = 1; leap <= 100_000; leap++) peerIds.use(leap * 1000);
  expect([peerIds.use(500), peerIds.use(100_000_000 - 500)]).toEqual([false, true]);
});
