import ipaddr from 'ipaddr.js';

/** One home, or one rented machine, has a /64 of IPv6. */
const NETWORK_BITS = 64;
/** One customer may have a /48 of IPv6, or share it with thousands. */
const SITE_BITS = 48;

/** Without the interface of a link-local address: interfaces have names (`br-lan.10`) that not every parser accepts. */
export function withoutZone(address: string): string {
  const at = address.indexOf('%');
  return at === -1 ? address : address.slice(0, at);
}

/** One spelling per address, without its zone; IPv4 inside IPv6 is IPv4. A text that is no address stays as it is. */
export function canonicalAddress(address: string): string {
  const plain = withoutZone(address);
  // IPv4 has one spelling only, and most addresses are IPv4.
  return plain.includes(':') && ipaddr.isValid(plain) ? ipaddr.process(plain).toString() : plain;
}

/** The address under which limits count: IPv4 as it is, of IPv6 the first one of its /64. Access is never judged by it. */
export function limitGroupOf(address: string): string {
  return firstOfNetwork(address, NETWORK_BITS);
}

/**
 * The first address of the /48 of an IPv6 address; undefined for IPv4. For what costs somebody else something, beside the
 * limits of a network.
 */
export function limitSiteOf(address: string): string | undefined {
  const site = firstOfNetwork(address, SITE_BITS);
  return site.includes(':') ? site : undefined;
}

function firstOfNetwork(address: string, bits: number): string {
  const canonical = canonicalAddress(address);
  if (!ipaddr.IPv6.isValid(canonical)) return canonical;
  return ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/${bits}`).toString();
}
