import { fieldError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lookOfDomain } from './domain-look.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { findFreePort, listSuffixes, lockServerForNoKeyUpdate, type MappingRow } from './mapping-store.ts';
import { isReservedPrefix } from './reserved-prefix.ts';

type PublicAddress = Pick<MappingRow, 'prefix' | 'customDomain' | 'port'>;

/** Throws mapping.prefix-reserved, mapping.domain-reserved, mapping.port-out-of-range. */
export async function assertMayHave(tx: Db, deps: MappingDeps, address: Partial<PublicAddress>): Promise<void> {
  const { prefix, customDomain, port } = address;
  const { from, to } = deps.publicPorts;
  if (prefix && isReservedPrefix(prefix, deps.ownPrefixes)) throw fieldError('prefix', 'mapping.prefix-reserved');
  if (port && (port < from || port > to)) throw fieldError('port', 'mapping.port-out-of-range');
  if (customDomain && isOwnDomain(customDomain, deps.ownDomains, await listSuffixes(tx)))
    throw fieldError('custom_domain', 'mapping.domain-reserved');
}

/** The service's own names and whatever looks like them, as for prefixes; and every name below a suffix. */
function isOwnDomain(domain: string, ownDomains: readonly string[], suffixes: readonly string[]): boolean {
  const look = lookOfDomain(domain);
  return (
    ownDomains.some((name) => look === lookOfDomain(name)) ||
    suffixes.map(lookOfDomain).some((suffix) => look === suffix || look.endsWith(`.${suffix}`))
  );
}

/**
 * A port that is free in the region; nobody else chooses one there until the transaction ends.
 * Throws mapping.ports-exhausted.
 */
export async function chooseFreePort(
  tx: Db,
  { publicPorts }: MappingDeps,
  { serverId, kind }: { serverId: number; kind: 'tcp' | 'udp' },
): Promise<number> {
  await lockServerForNoKeyUpdate(tx, serverId);
  const port = await findFreePort(tx, { serverId, kind, ...publicPorts });
  if (port === undefined) throw fieldError('port', 'mapping.ports-exhausted');
  return port;
}
