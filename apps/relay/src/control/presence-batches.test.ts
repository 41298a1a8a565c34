import type { PresenceEvent } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { presenceBatches } from './presence-batches.ts';

const SERVER_LIMIT_BYTES = 4 * 1024 * 1024;

/** A device whose names are as long as they may be, in characters that JSON writes with six. */
const event = (deviceId: number): PresenceEvent => ({
  online: true,
  deviceId,
  epoch: 1_800_000_000_000,
  atMs: 1_800_000_000_000,
  publicIp: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  agentVersion: '\u0001'.repeat(40),
  platform: '\u0001'.repeat(80),
});

test('with any number of devices online, the server accepts each message and no device is missing', () => {
  const events = Array.from({ length: 12_000 }, (_, index) => event(index + 1));
  const batches = presenceBatches(events);
  expect(batches.flat()).toEqual(events);
  for (const online of batches) {
    expect(online.length).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify({ type: 'hello', online }).length).toBeLessThan(SERVER_LIMIT_BYTES);
  }
});

test('without devices there is no batch', () => {
  expect(presenceBatches([])).toEqual([]);
});
