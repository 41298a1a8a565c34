import type { MappingPolicy } from '../mappings/mappings.ts';
import type { Route } from '../relay-control.ts';
import { timeDenial, type TimeDenial } from './opening-times.ts';

export type ClosedBecause = 'mapping-disabled' | 'device-disabled' | 'closed-by-owner' | TimeDenial;

export type Openness = {
  mappingEnabled: boolean;
  deviceEnabled: boolean;
  policy: MappingPolicy;
  times: Pick<Route, 'opensAtMs' | 'closesAtMs' | 'hours'>;
};

/**
 * Why an address is closed to everybody at this moment (wall clock); undefined when it is open. A reason that lasts
 * until somebody changes a setting takes precedence over one that ends at a known time.
 */
export function closedBecause(
  { mappingEnabled, deviceEnabled, policy, times }: Openness,
  wallClockMs: number,
): ClosedBecause | undefined {
  if (!mappingEnabled) return 'mapping-disabled';
  if (!deviceEnabled) return 'device-disabled';
  if (policy === 'closed') return 'closed-by-owner';
  return timeDenial(times, wallClockMs);
}
