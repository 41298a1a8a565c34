import type { OfflineReason, PublicRouterInfo } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMappingByHost } from '../mappings/index.ts';
import { deviceStateOf } from './device-state.ts';
import { findDevice } from './device-store.ts';
import { readHost } from './read-host.ts';

export type DomainState = {
  host: string;
  state: PublicRouterInfo['state'];
  since: Date | null;
  offlineReason: OfflineReason | null;
};

/** Why a public name does or does not work, for anyone: no name, owner or address of the device. */
export async function describeDomain(db: Db, domain: string): Promise<DomainState> {
  const host = readHost(domain);
  const nothingKnown = { host, since: null, offlineReason: null };
  const mapped = await findMappingByHost(db, host);
  const device = mapped && (await findDevice(db, mapped.deviceId));
  if (!device) return { ...nothingKnown, state: 'unknown' };
  if (!mapped.mappingEnabled) return { ...nothingKnown, state: 'mapping_disabled' };
  return { host, ...deviceStateOf(device) };
}
