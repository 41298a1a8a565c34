import type { HostState } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { type HostPhase, hostPhase } from './host-phase.ts';

const wokenAt = '2026-11-24T08:00:00.000Z';
const wokenMs = Date.parse(wokenAt);
const off: HostState = { state: 'off', is_ready: false, woken_at: null };
const on: HostState = { state: 'on', is_ready: true, woken_at: null };

function phase(facts: Partial<Parameters<typeof hostPhase>[0]>): HostPhase {
  return hostPhase({
    ...{ state: off, hasFailed: false, needsService: false, wokenAtMs: undefined, wallClockMs: wokenMs },
    ...facts,
  });
}

test.each<[string, Parameters<typeof phase>[0], HostPhase]>([
  ['before the first answer', { state: undefined }, { type: 'asking' }],
  ['without any answer', { state: undefined, hasFailed: true }, { type: 'unknown' }],
  ['that does not answer', {}, { type: 'off' }],
  ['whose last check failed', { hasFailed: true }, { type: 'unknown' }],
  ['that refuses', { state: { ...on, is_ready: false } }, { type: 'on' }],
  [
    'that refuses where a service is needed',
    { state: { ...on, is_ready: false }, needsService: true },
    { type: 'not-ready' },
  ],
  ['that accepts', { state: on, needsService: true }, { type: 'on' }],
  ['that this page has just woken', { wokenAtMs: wokenMs }, { type: 'waking', seconds: 0 }],
  ['woken 35.9 s ago', { wokenAtMs: wokenMs, wallClockMs: wokenMs + 35_900 }, { type: 'waking', seconds: 35 }],
  ['woken by another page', { state: { ...off, woken_at: wokenAt } }, { type: 'waking', seconds: 0 }],
  ['woken at a server whose clock is ahead', { wokenAtMs: wokenMs + 5_000 }, { type: 'waking', seconds: 0 }],
  ['woken a little less than three minutes ago', { wokenAtMs: wokenMs - 179_999 }, { type: 'waking', seconds: 179 }],
  ['woken three minutes ago', { wokenAtMs: wokenMs - 180_000 }, { type: 'late' }],
  ['woken ten minutes ago', { wokenAtMs: wokenMs - 600_000 }, { type: 'off' }],
  ['that came up late', { state: on, wokenAtMs: wokenMs - 200_000 }, { type: 'on' }],
])('a host %s', (_what, facts, expected) => {
  expect(phase(facts)).toEqual(expected);
});
