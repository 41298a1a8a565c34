import type { NameServers } from '../certificates/index.ts';

export type DomainAddresses = {
  /** Where its CNAME record leads, when it has one. */
  alias: string | undefined;
  addresses: string[];
};

/**
 * What DNS says of a domain. Where resolvers say that there is nothing, which they remember for minutes, the
 * authoritative servers are asked.
 */
export async function findDomainAddresses(nameServers: NameServers, domain: string): Promise<DomainAddresses> {
  const addresses = await nameServers.addressesOf(domain);
  if (addresses.length > 0) return { alias: await nameServers.aliasOf(domain), addresses };
  const records = await nameServers.authoritativeRecordsOf(domain);
  if (records.alias === undefined || records.addresses.length > 0) return records;
  return { alias: records.alias, addresses: await nameServers.addressesOf(records.alias) };
}
