import ipaddr from 'ipaddr.js';

/** One spelling per address; IPv4 inside IPv6 is IPv4, and the interface a link-local one came by does not count. */
export function canonicalAddress(ip: string): string {
  return ipaddr.process(ip.replace(/%.*$/, '')).toString();
}
