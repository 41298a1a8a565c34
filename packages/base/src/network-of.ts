import ipaddr from 'ipaddr.js';
import { parseAddress } from './ip-address.ts';

/** What one home or one rented machine has of IPv6. */
const NETWORK_BITS = 64;
/** What one customer of a provider may have as a whole, or share with thousands. */
const SITE_BITS = 48;

/**
 * Whose limits an address counts in: an IPv4 address is a network of its own, an IPv6 address counts in its /64. Access is
 * never judged by it. The text itself where it is no address.
 */
export function networkOf(address: string): string {
  return prefixOf(address, NETWORK_BITS) ?? address;
}

/**
 * The /48 of an IPv6 address; undefined for IPv4. For what costs somebody else something, beside the limits of a network.
 */
export function siteOf(address: string): string | undefined {
  const site = prefixOf(address, SITE_BITS);
  return site?.includes(':') === true ? site : undefined;
}

function prefixOf(text: string, bits: number): string | undefined {
  if (!text.includes(':')) return text;
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString();
  const groups = address.parts.map((group, at) => (at < bits / 16 ? group : 0));
  return new ipaddr.IPv6(groups).toString();
}
