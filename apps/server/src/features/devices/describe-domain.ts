import { type OfflineReason, type PublicRouterInfo, timeDenial } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMappingByHost, type MappedHost, openingTimes } from '../mappings/index.ts';
import { deviceStateOf } from './device-state.ts';
import { findDevice } from './device-store.ts';
import { readHost } from './read-host.ts';

export type DomainState = {
  host: string;
  state: PublicRouterInfo['state'];
  since: Date | null;
  offlineReason: OfflineReason | null;
  /** Where its opening times are the reason. */
  times: MappedHost | undefined;
};

/** Why a public name does or does not work, for anyone: no name, owner or address of the device. */
export async function describeDomain(db: Db, domain: string, nowMs: number): Promise<DomainState> {
  const host = readHost(domain);
  const nothingKnown = { host, since: null, offlineReason: null, times: undefined };
  const mapped = await findMappingByHost(db, host);
  const device = mapped && (await findDevice(db, mapped.deviceId));
  if (!device) return { ...nothingKnown, state: 'unknown' };
  if (!mapped.mappingEnabled) return { ...nothingKnown, state: 'mapping_disabled' };
  if (!device.enabled) return { ...nothingKnown, state: 'disabled' };
  if (mapped.policy === 'closed') return { ...nothingKnown, state: 'closed' };
  switch (timeDenial(openingTimes(mapped), nowMs)) {
    case 'not-open-yet':
      return { ...nothingKnown, state: 'not_open_yet', times: mapped };
    case 'closed':
      return { ...nothingKnown, state: 'closed', times: mapped };
    case 'outside-hours':
      return { ...nothingKnown, state: 'outside_hours', times: mapped };
    case undefined:
      return { ...nothingKnown, ...deviceStateOf(device) };
  }
}
