import ipaddr from 'ipaddr.js';
import { withoutZone } from './plain-address.ts';

/** Groups of 16 bits that name the network of an IPv6 address: a /64 is what one home or one rented machine has. */
const NETWORK_GROUPS = 4;

/** Whose limits an address counts in: its own for IPv4, for IPv6 those of its /64. Access is never judged by it. */
export function limitKeyOf(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = ipaddr.process(withoutZone(address));
  if (!('parts' in parsed)) return parsed.toString();
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
