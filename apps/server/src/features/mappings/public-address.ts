import type { Db } from '../../db/driver.ts';
import { fieldError } from './address-taken.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { listPublicPorts, type MappingRow } from './mapping-store.ts';
import { isReservedPrefix } from './reserved-prefix.ts';

type PublicAddress = Pick<MappingRow, 'prefix' | 'customDomain' | 'port'>;

/** Throws mapping.prefix-reserved, mapping.domain-reserved, mapping.port-out-of-range. */
export function assertMayHave(deps: MappingDeps, { prefix, customDomain, port }: Partial<PublicAddress>): void {
  const { from, to } = deps.publicPorts;
  if (prefix && isReservedPrefix(prefix, deps.consolePrefixes)) throw fieldError('prefix', 'mapping.prefix-reserved');
  if (customDomain && deps.isOwnDomain(customDomain)) throw fieldError('custom_domain', 'mapping.domain-reserved');
  if (port && (port < from || port > to)) throw fieldError('port', 'mapping.port-out-of-range');
}

/** The lowest port of the range that is free in the device's region. Throws mapping.ports-exhausted. */
export async function findFreePort(
  tx: Db,
  { publicPorts }: MappingDeps,
  { deviceId, kind }: { deviceId: number; kind: 'tcp' | 'udp' },
): Promise<number> {
  const taken = new Set(await listPublicPorts(tx, deviceId, kind));
  for (let port = publicPorts.from; port <= publicPorts.to; port++) if (!taken.has(port)) return port;
  throw fieldError('port', 'mapping.ports-exhausted');
}
