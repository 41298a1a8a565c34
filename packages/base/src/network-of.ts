import ipaddr from 'ipaddr.js';
import { parseAddress } from './ip-address.ts';

/** The prefix that a home or a rented machine usually gets. */
const NETWORK_BITS = 64;
/** The prefix that one customer of a provider may get, or share with thousands. */
const SITE_BITS = 48;

/**
 * The network whose limits an address counts towards: an IPv4 address alone, or the /64 of an IPv6 address. It never
 * grants access. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  return prefixOf(address, NETWORK_BITS) ?? address;
}

/**
 * The /48 of an IPv6 address; undefined for IPv4. It limits what costs third parties something, in addition to the /64.
 */
export function siteOf(address: string): string | undefined {
  const site = prefixOf(address, SITE_BITS);
  return site?.includes(':') === true ? site : undefined;
}

/**
 * The addresses near this one: the /24 of an IPv4 address, or the /64 of an IPv6 address. Who shares them may be somebody
 * else. Text that is not an address is returned unchanged.
 */
export function surroundingsOf(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? network : network.replace(/\.\d+$/, '.0');
}

function prefixOf(text: string, bits: number): string | undefined {
  if (!text.includes(':')) return text;
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString();
  const groups = address.parts.map((group, at) => (at < bits / 16 ? group : 0));
  return new ipaddr.IPv6(groups).toString();
}
