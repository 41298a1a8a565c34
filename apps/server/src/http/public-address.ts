import type { LookupAddress } from 'node:dns';
import { lookup as lookupName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isCredentialAddress } from '@tongtu/base';
import ipaddr from 'ipaddr.js';

/** `any` lets messages go to the operator's own network, but never where clouds hand a machine its credentials. */
export type AllowedAddresses = 'public' | 'any';

export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** All that has been given out of IPv6; beside it there are ways of writing IPv4 addresses. */
const givenOut = ipaddr.IPv6.parseCIDR('2000::/3');

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Every address of a name, as this machine's resolver tells them. */
export async function resolveAll(name: string): Promise<LookupAddress[]> {
  return await lookupName(name, { all: true });
}

/** What the host of a URL says by itself, without asking for its addresses: a name may still turn out to be refused. */
export function isHostRefused(hostname: string, allowed: AllowedAddresses): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return !isAddressAllowed(host, allowed);
  return allowed === 'public' && /^(?:.+\.)?localhost$/.test(host);
}

/**
 * Looks names up for a connection, which then goes to one of the very addresses that were looked at here. All of a name's
 * addresses must be allowed: one that has both kinds is not what it seems to be.
 */
export function guardedLookup(allowed: AllowedAddresses, resolve: Resolve): LookupFunction {
  const look = async (name: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(name);
    if (first === undefined) throw new Error('the name has no address');
    const isRefused = [first, ...others].some(({ address }) => !isAddressAllowed(address, allowed));
    if (isRefused) throw new AddressRefused();
    return [first, ...others];
  };
  const lookUp = callbackify(look);
  return (name, options, done) =>
    lookUp(name, (error, addresses) => {
      if (error) done(error, '');
      else if (options.all) done(null, addresses);
      else done(null, addresses[0].address, addresses[0].family);
    });
}

function isAddressAllowed(text: string, allowed: AllowedAddresses): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // IPv4 in IPv6 is IPv4
  // Only what is routed on the internet: no translated (NAT64, 6to4), reserved or multicast address either.
  const isPublic = address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(givenOut));
  if (isCredentialAddress(text)) return false;
  return isPublic || (allowed === 'any' && isOfOperator(address));
}

function isOfOperator(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv4 || ['loopback', 'uniqueLocal'].includes(address.range());
}
