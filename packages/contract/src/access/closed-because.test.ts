import { expect, test } from 'vitest';
import { closedBecause, type Openness } from './closed-because.ts';

const wallClockMs = 1_000;
const open: Openness = {
  mappingEnabled: true,
  deviceEnabled: true,
  planEndsAtMs: undefined,
  isOverPlanLimit: false,
  policy: 'owner',
  times: { opensAtMs: null, closesAtMs: null, hours: null },
};

test('an address that is switched on is open to those whom its policy lets in', () => {
  for (const policy of ['owner', 'password', 'public'] as const) {
    expect(closedBecause({ ...open, policy }, wallClockMs)).toBeUndefined();
  }
});

test('of several reasons the mapping’s comes first, then the device’s, the policy’s and the time’s', () => {
  const soon = { ...open.times, opensAtMs: wallClockMs + 1 };
  expect(closedBecause({ ...open, times: soon }, wallClockMs)).toBe('not-open-yet');
  expect(closedBecause({ ...open, times: { ...open.times, closesAtMs: wallClockMs } }, wallClockMs)).toBe('closed');
  const closed: Openness = { ...open, times: soon, policy: 'closed' };
  expect(closedBecause(closed, wallClockMs)).toBe('closed-by-owner');
  expect(closedBecause({ ...closed, deviceEnabled: false }, wallClockMs)).toBe('device-disabled');
  expect(closedBecause({ ...closed, deviceEnabled: false, mappingEnabled: false }, wallClockMs)).toBe(
    'mapping-disabled',
  );
});

test('from the end of the plan on, and beyond what it allows, an address is closed', () => {
  expect(closedBecause({ ...open, planEndsAtMs: wallClockMs + 1 }, wallClockMs)).toBeUndefined();
  expect(closedBecause({ ...open, planEndsAtMs: wallClockMs }, wallClockMs)).toBe('plan-ended');
  expect(closedBecause({ ...open, planEndsAtMs: 0, policy: 'closed' }, wallClockMs)).toBe('plan-ended');
  expect(closedBecause({ ...open, isOverPlanLimit: true }, wallClockMs)).toBe('over-plan-limit');
  expect(closedBecause({ ...open, planEndsAtMs: 0, deviceEnabled: false }, wallClockMs)).toBe('device-disabled');
});
