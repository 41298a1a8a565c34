import ipaddr from 'ipaddr.js';
import { readGroups, readOctets } from './read-ip-address.ts';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Reads an address as sockets and proxies write it: IPv4 in four decimal numbers only. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) is the IPv4 address, and the zone of a link-local address (`%eth0`) is dropped. Undefined for
 * anything else.
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

/** The one spelling (RFC 5952) of what `parseAddress` reads; the text itself where it is no address. */
export function canonicalAddress(text: string): string {
  // A text without a colon is an IPv4 address, which has one spelling only, or no address.
  return text.includes(':') ? (parseAddress(text)?.toString() ?? text) : text;
}

/** The library's own test compares with every special range. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xff_ff && groups.findIndex((group) => group !== 0) === 5;
}

/** Interfaces have names (`br-lan.10`) that not every reader of addresses takes. */
function withoutZone(text: string): string {
  const at = text.indexOf('%');
  return at === -1 ? text : text.slice(0, at);
}
