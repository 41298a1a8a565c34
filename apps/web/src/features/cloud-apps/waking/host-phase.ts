import type { HostState } from '@tongtu/contract';

/** What the page says about a host. `late`: it was woken, and should have been on by now. */
export type HostPhase =
  | { type: 'asking' | 'unknown' | 'off' | 'late' | 'on' | 'not-ready' }
  | { type: 'waking'; seconds: number };

/** A PC has started by then. */
const LATE_AFTER_MS = 180_000;
/** As the server does: a host that is off then was switched off, or nobody waits any more. */
const FORGOTTEN_AFTER_MS = 600_000;

type Facts = {
  /** The last answer; undefined before the first. */
  state: HostState | undefined;
  hasFailed: boolean;
  /** Apps are opened once their port accepts connections; a host that is only woken is on before. */
  needsService: boolean;
  /** When this page has woken the host. */
  wokenAtMs: number | undefined;
  wallClockMs: number;
};

export function hostPhase({ state, hasFailed, needsService, wokenAtMs, wallClockMs }: Facts): HostPhase {
  if (state === undefined) return { type: hasFailed ? 'unknown' : 'asking' };
  if (state.state === 'on') return { type: needsService && !state.is_ready ? 'not-ready' : 'on' };
  const elsewhereMs = state.woken_at === null ? undefined : Date.parse(state.woken_at);
  const lastMs = wokenAtMs ?? elsewhereMs;
  if (lastMs === undefined) return { type: hasFailed ? 'unknown' : 'off' };
  const sinceMs = Math.max(0, wallClockMs - lastMs); // the clocks of browser and server differ
  if (sinceMs >= FORGOTTEN_AFTER_MS) return { type: 'off' };
  if (sinceMs >= LATE_AFTER_MS) return { type: 'late' };
  return { type: 'waking', seconds: Math.floor(sinceMs / 1000) };
}
