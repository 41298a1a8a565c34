import type { MappingPolicy } from './mappings.ts';
import { timeDenial, type TimeDenial } from './opening-times.ts';
import type { Route } from './relay-control.ts';

export type ClosedBecause = 'mapping-disabled' | 'device-disabled' | 'closed-by-owner' | TimeDenial;

export type Openness = {
  mappingEnabled: boolean;
  deviceEnabled: boolean;
  policy: MappingPolicy;
  times: Pick<Route, 'opensAtMs' | 'closesAtMs' | 'hours'>;
};

/**
 * What keeps everybody out of an address at this moment (wall clock), whoever they are; undefined when nothing does. Of
 * several reasons what somebody has to switch on comes before what passes by itself.
 */
export function closedBecause(
  { mappingEnabled, deviceEnabled, policy, times }: Openness,
  nowMs: number,
): ClosedBecause | undefined {
  if (!mappingEnabled) return 'mapping-disabled';
  if (!deviceEnabled) return 'device-disabled';
  if (policy === 'closed') return 'closed-by-owner';
  return timeDenial(times, nowMs);
}
