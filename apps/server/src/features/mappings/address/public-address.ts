import { fieldError, isWildcard, wildcardParent } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { domainSkeleton } from './domain-skeleton.ts';
import type { MappingDeps } from '../mapping-deps.ts';
import { findFreePort, listSuffixes, lockServerForNoKeyUpdate, type MappingRow } from '../mapping-store.ts';
import { isReservedPrefix } from './reserved-prefix.ts';

type PublicAddress = Pick<MappingRow, 'prefix' | 'customDomain' | 'port'>;

/** Throws mapping.prefix-reserved, mapping.domain-reserved, mapping.port-out-of-range. */
export async function assertAddressAllowed(tx: Db, deps: MappingDeps, address: Partial<PublicAddress>): Promise<void> {
  const { prefix, customDomain, port } = address;
  const { from, to } = deps.publicPorts;
  if (prefix && isReservedPrefix(prefix, deps.ownPrefixes)) throw fieldError('prefix', 'mapping.prefix-reserved');
  if (port && (port < from || port > to)) throw fieldError('port', 'mapping.port-out-of-range');
  if (customDomain && ownDomainTest(deps.ownDomains, await listSuffixes(tx))(customDomain))
    throw fieldError('custom_domain', 'mapping.domain-reserved');
}

/**
 * Returns a test for the installation's own names, names that look like them, every name below a suffix, and wildcards that
 * cover one of these.
 */
export function ownDomainTest(ownDomains: readonly string[], suffixes: readonly string[]): (domain: string) => boolean {
  const [own, ofRegions] = [ownDomains.map(domainSkeleton), suffixes.map(domainSkeleton)];
  return (domain) => {
    const skeleton = domainSkeleton(isWildcard(domain) ? wildcardParent(domain) : domain);
    return (
      own.includes(skeleton) ||
      ofRegions.some((suffix) => skeleton === suffix || skeleton.endsWith(`.${suffix}`)) ||
      (isWildcard(domain) && [...own, ...ofRegions].some((name) => name.endsWith(`.${skeleton}`)))
    );
  };
}

/**
 * Chooses a free port of the region. Concurrent transactions that choose one wait.
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
