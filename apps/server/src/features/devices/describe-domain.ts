import { closedBecause, type OfflineReason, type PublicRouterInfo } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMappingByHost, type MappedHost, openingTimes } from '../mappings/index.ts';
import { deviceStateOf, type StateFacts } from './device-state.ts';
import { findDevice } from './device-store.ts';
import { readHost } from './read-host.ts';

type Times = Pick<MappedHost, 'opensAt' | 'closesAt' | 'hoursDays' | 'hoursFrom' | 'hoursTo'>;

/** What of a mapping and its device decides how the address stands. */
export type DomainFacts = {
  mapping: Times & Pick<MappedHost, 'mappingEnabled' | 'policy'>;
  device: StateFacts;
};

export type DomainState = {
  host: string;
  state: PublicRouterInfo['state'];
  since: Date | null;
  offlineReason: OfflineReason | null;
  /** Where its opening times are the reason. */
  times: Times | undefined;
};

/** Why a public name does or does not work, for anyone: no name, owner or address of the device. */
export async function describeDomain(db: Db, domain: string, wallClockMs: number): Promise<DomainState> {
  const host = readHost(domain);
  const mapping = await findMappingByHost(db, host);
  const device = mapping && (await findDevice(db, mapping.deviceId));
  return domainStateOf(host, device && { mapping, device }, wallClockMs);
}

/** The same of a name that has been looked up; undefined: it leads nowhere. */
export function domainStateOf(host: string, found: DomainFacts | undefined, wallClockMs: number): DomainState {
  const nothingKnown = { host, since: null, offlineReason: null, times: undefined };
  if (!found) return { ...nothingKnown, state: 'unknown' };
  const { mapping, device } = found;
  const { mappingEnabled, policy } = mapping;
  const times = openingTimes(mapping);
  switch (closedBecause({ mappingEnabled, deviceEnabled: device.enabled, policy, times }, wallClockMs)) {
    case 'mapping-disabled':
      return { ...nothingKnown, state: 'mapping_disabled' };
    case 'device-disabled':
      return { ...nothingKnown, state: 'disabled' };
    case 'closed-by-owner':
      return { ...nothingKnown, state: 'closed' };
    case 'not-open-yet':
      return { ...nothingKnown, state: 'not_open_yet', times: mapping };
    case 'closed':
      return { ...nothingKnown, state: 'closed', times: mapping };
    case 'outside-hours':
      return { ...nothingKnown, state: 'outside_hours', times: mapping };
    case undefined:
      return { ...nothingKnown, ...deviceStateOf(device) };
  }
}
