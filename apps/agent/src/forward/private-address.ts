import ipaddr from 'ipaddr.js';

// `unspecified` (0.0.0.0) is left out although it reaches this machine: a mapping should say what it means.
const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

// Where clouds (AWS and most others, AWS over IPv6, Alibaba) hand a machine its own credentials.
const METADATA_SERVICES = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200']);

/** True for addresses that cannot be reached from the Internet: the only ones an agent dials. */
export function isPrivateAddress(address: string): boolean {
  // process() looks inside IPv4-mapped IPv6 addresses, behind which any public address could hide.
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return PRIVATE_RANGES.has(parsed.range()) && !METADATA_SERVICES.has(parsed.toString());
}
