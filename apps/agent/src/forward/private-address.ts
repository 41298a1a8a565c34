import { metadataServices } from '@tongtu/base';
import ipaddr from 'ipaddr.js';

// `unspecified` (0.0.0.0) is left out although it reaches this machine: a mapping should say what it means.
const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

/** True for addresses that cannot be reached from the Internet: the only ones an agent dials. */
export function isPrivateAddress(address: string): boolean {
  // process() looks inside IPv4-mapped IPv6 addresses, behind which any public address could hide.
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return PRIVATE_RANGES.has(parsed.range()) && !metadataServices.has(parsed.toString());
}
