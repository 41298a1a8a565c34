import type { MappingPolicy } from '../mappings/mappings.ts';
import type { Route } from '../relay-control.ts';
import { timeDenial, type TimeDenial } from './opening-times.ts';

export type ClosedBecause =
  | ('mapping-disabled' | 'device-disabled' | 'plan-ended' | 'over-plan-limit' | 'closed-by-owner')
  | TimeDenial;

export type Openness = {
  mappingEnabled: boolean;
  deviceEnabled: boolean;
  /** Undefined: the device needs no plan. */
  planEndsAtMs: number | undefined;
  isOverPlanLimit: boolean;
  policy: MappingPolicy;
  times: Pick<Route, 'opensAtMs' | 'closesAtMs' | 'hours'>;
};

/**
 * Why an address is closed to everybody at this moment (wall clock); undefined when it is open. A reason that lasts
 * until somebody changes a setting takes precedence over one that ends at a known time.
 */
export function closedBecause(
  { mappingEnabled, deviceEnabled, planEndsAtMs, isOverPlanLimit, policy, times }: Openness,
  wallClockMs: number,
): ClosedBecause | undefined {
  if (!mappingEnabled) return 'mapping-disabled';
  if (!deviceEnabled) return 'device-disabled';
  if (planEndsAtMs !== undefined && planEndsAtMs <= wallClockMs) return 'plan-ended';
  if (isOverPlanLimit) return 'over-plan-limit';
  if (policy === 'closed') return 'closed-by-owner';
  return timeDenial(times, wallClockMs);
}
