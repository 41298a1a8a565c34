import { closedBecause, type OfflineReason, type PublicRouterInfo } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findCoveringMapping, type MappedHost, openingTimes } from '../mappings/index.ts';
import { type Allowance, planEndsAtMs } from '../plans/index.ts';
import { deviceStateOf, type StateFacts } from './presence/device-state.ts';
import { findDevice } from './device-store.ts';

type Times = Pick<MappedHost, 'opensAt' | 'closesAt' | 'hoursDays' | 'hoursFrom' | 'hoursTo'>;

/** The fields of a mapping and its device that decide the address's state. */
export type DomainFacts = {
  mapping: Times & Pick<MappedHost, 'mappingEnabled' | 'isOverPlanLimit' | 'policy'>;
  device: StateFacts & { allowance: Allowance | null };
};

export type DomainState = {
  host: string;
  state: PublicRouterInfo['state'];
  since: Date | null;
  offlineReason: OfflineReason | null;
  /** Set when the opening times are the reason. */
  times: Times | undefined;
};

/** The public state of an address. It contains no name, owner or address of the device. */
export async function describeDomain(db: Db, domain: string, wallClockMs: number): Promise<DomainState> {
  const host = readHost(domain);
  const mapping = await findCoveringMapping(db, host);
  const device = mapping && (await findDevice(db, mapping.deviceId));
  return domainStateOf(host, device && { mapping, device }, wallClockMs);
}

/** The state of an address whose mapping and device have been found; undefined when there are none. */
export function domainStateOf(host: string, found: DomainFacts | undefined, wallClockMs: number): DomainState {
  const unknown = { host, since: null, offlineReason: null, times: undefined };
  if (!found) return { ...unknown, state: 'unknown' };
  const { mapping, device } = found;
  const { mappingEnabled, isOverPlanLimit, policy } = mapping;
  const plan = { planEndsAtMs: planEndsAtMs(device.allowance), isOverPlanLimit };
  const times = openingTimes(mapping);
  switch (closedBecause({ mappingEnabled, deviceEnabled: device.enabled, ...plan, policy, times }, wallClockMs)) {
    case 'mapping-disabled':
      return { ...unknown, state: 'mapping_disabled' };
    case 'device-disabled':
      return { ...unknown, state: 'disabled' };
    case 'plan-ended':
      return { ...unknown, state: 'plan_expired' };
    case 'over-plan-limit':
      return { ...unknown, state: 'over_plan_limit' };
    case 'closed-by-owner':
      return { ...unknown, state: 'closed' };
    case 'not-open-yet':
      return { ...unknown, state: 'not_open_yet', times: mapping };
    case 'closed':
      return { ...unknown, state: 'closed', times: mapping };
    case 'outside-hours':
      return { ...unknown, state: 'outside_hours', times: mapping };
    case undefined:
      return { ...unknown, ...deviceStateOf(device) };
  }
}

/** Reads the host from a Host field or a typed domain: `NAS.example.com.:8080` is `nas.example.com`. Empty when invalid. */
export function readHost(domain: string): string {
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
  return /^[a-z0-9.-]{1,253}$/.test(host) ? host : '';
}
