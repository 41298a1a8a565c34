import type { LookupAddress } from 'node:dns';
import { lookup as lookupName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isCredentialAddress } from '@tongtu/base';
import ipaddr from 'ipaddr.js';

/** `any` also allows the operator's own network, but never a credential address. */
export type AllowedAddresses = 'public' | 'any';

export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** All global unicast addresses that IANA assigns. Ranges outside it embed IPv4 addresses, among others. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Returns all addresses of a name, from this machine's resolver. */
export async function resolveAll(name: string): Promise<LookupAddress[]> {
  return await lookupName(name, { all: true });
}

/** Decides by a URL's host alone. A name that passes may still resolve to a refused address. */
export function isHostRefused(hostname: string, allowed: AllowedAddresses): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return !isAddressAllowed(host, allowed);
  return allowed === 'public' && /^(?:.+\.)?localhost$/.test(host);
}

/**
 * A `lookup` for sockets: the connection goes to exactly the address that was checked here, so DNS rebinding cannot
 * change it. A name is refused if any of its addresses is, because such a mix has no honest use.
 */
export function checkedLookup(allowed: AllowedAddresses, resolve: Resolve): LookupFunction {
  const resolveAllowed = async (name: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(name);
    if (first === undefined) throw new Error('the name has no address');
    const isRefused = [first, ...others].some(({ address }) => !isAddressAllowed(address, allowed));
    if (isRefused) throw new AddressRefused();
    return [first, ...others];
  };
  const lookUp = callbackify(resolveAllowed);
  return (name, options, done) =>
    lookUp(name, (error, addresses) => {
      if (error) done(error, '');
      else if (options.all) done(null, addresses);
      else done(null, addresses[0].address, addresses[0].family);
    });
}

export function isAddressAllowed(text: string, allowed: AllowedAddresses): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // turns an IPv4-mapped IPv6 address into IPv4
  // Excludes translated (NAT64, 6to4), reserved and multicast addresses as well as private ones.
  const isPublic = address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast));
  if (isCredentialAddress(text)) return false;
  return isPublic || (allowed === 'any' && isOnOperatorNetwork(address));
}

function isOnOperatorNetwork(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv4 || ['loopback', 'uniqueLocal'].includes(address.range());
}
