import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { ConnectionWear } from './connection-wear.ts';

test('a connection that has lost segments is renewed, once, and not right after it began', () => {
  let monotonicMs = 0;
  let lost = 0;
  const wear = new ConnectionWear({ lostSegments: () => lost, lossKeptMs: 60_000, monotonicMs: () => monotonicMs });
  const socket = new Duplex();
  wear.onJoined(3);
  monotonicMs = 5_000;
  expect(wear.takeRenewal(3, socket)).toBe(false); // it has lost nothing
  lost = 2;
  expect(wear.takeRenewal(3, undefined)).toBe(false);
  expect(wear.takeRenewal(3, socket)).toBe(true);
  expect(wear.takeRenewal(3, socket)).toBe(false); // it was named
  expect(wear.takeRenewal(0, socket)).toBe(true);
  monotonicMs = 5_500;
  wear.onJoined(3);
  monotonicMs = 6_400;
  expect(wear.takeRenewal(3, socket)).toBe(false);
  monotonicMs = 6_500;
  expect(wear.takeRenewal(3, socket)).toBe(true);
});

test('a line is lossy for a while after its connections have lost something', () => {
  let monotonicMs = 0;
  let lost = 0;
  const wear = new ConnectionWear({ lostSegments: () => lost, lossKeptMs: 60_000, monotonicMs: () => monotonicMs });
  const socket = new Duplex();
  wear.watch([socket]);
  expect(wear.isLossy).toBe(false);
  lost = 2;
  wear.watch([socket]);
  expect(wear.isLossy).toBe(true);
  monotonicMs = 59_999;
  wear.watch([socket]); // nothing new
  expect(wear.isLossy).toBe(true);
  monotonicMs = 60_000;
  expect(wear.isLossy).toBe(false);
});
