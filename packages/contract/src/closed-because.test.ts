import { expect, test } from 'vitest';
import { closedBecause, type Openness } from './closed-because.ts';

const nowMs = 1_000;
const open: Openness = {
  mappingEnabled: true,
  deviceEnabled: true,
  policy: 'owner',
  times: { opensAtMs: null, closesAtMs: null, hours: null },
};

test('an address that is switched on is open to those whom its policy lets in', () => {
  for (const policy of ['owner', 'password', 'public'] as const) {
    expect(closedBecause({ ...open, policy }, nowMs)).toBeUndefined();
  }
});

test('of several reasons one is told: the mapping’s, then the device’s, then the policy’s, then the time’s', () => {
  const soon = { ...open.times, opensAtMs: nowMs + 1 };
  expect(closedBecause({ ...open, times: soon }, nowMs)).toBe('not-open-yet');
  expect(closedBecause({ ...open, times: { ...open.times, closesAtMs: nowMs } }, nowMs)).toBe('closed');
  const closed: Openness = { ...open, times: soon, policy: 'closed' };
  expect(closedBecause(closed, nowMs)).toBe('closed-by-owner');
  expect(closedBecause({ ...closed, deviceEnabled: false }, nowMs)).toBe('device-disabled');
  expect(closedBecause({ ...closed, deviceEnabled: false, mappingEnabled: false }, nowMs)).toBe('mapping-disabled');
});
