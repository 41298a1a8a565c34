import ipaddr from 'ipaddr.js';
import { readGroups, readOctets } from './read-ip-address.ts';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an address as sockets and proxies write it; IPv4 only as four decimal numbers. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) becomes the IPv4 address, and the zone of a link-local address (`%eth0`) is dropped. Undefined
 * for anything else.
 */
export function parseAddress(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const octets = readOctets(text);
    return octets && new ipaddr.IPv4(octets);
  }
  const groups = readGroups(withoutZone(text));
  const address = groups && new ipaddr.IPv6(groups);
  return groups && isMapped(groups) ? address?.toIPv4Address() : address;
}

/** The canonical spelling (RFC 5952) of an address; any other text is returned unchanged. */
export function canonicalAddress(text: string): string {
  // Text without a colon is an IPv4 address, which has only one spelling, or no address at all.
  return text.includes(':') ? (parseAddress(text)?.toString() ?? text) : text;
}

/** ipaddr.js would compare the address with every special range. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xff_ff && groups.findIndex((group) => group !== 0) === 5;
}

/** Interface names may have dots (`br-lan.10`), which not every parser of zones accepts. */
function withoutZone(text: string): string {
  const at = text.indexOf('%');
  return at === -1 ? text : text.slice(0, at);
}
