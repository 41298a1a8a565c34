import { type AddressRange, AddressSet, canonicalAddress, holdsAllIpv4, parseRange } from '@tongtu/base';
import type { DeviceRoutes, Route } from '../relay-control.ts';

type AllowList = DeviceRoutes['allowList'];
type VerifiedAddresses = Pick<Route, 'verifiedIps' | 'revokedVerifications'>;

// Neither a device nor a route is changed in place, so each is read once, and not for each request.
const allowLists = new WeakMap<AllowList, AddressSet>();
const verifiedAddresses = new WeakMap<VerifiedAddresses, Map<string, number>>();

/** Whether the device's owner lets this address pass all mappings. */
export function isAllowListed(allowList: AllowList, address: string): boolean {
  if (allowList.length === 0) return false;
  let set = allowLists.get(allowList);
  if (set === undefined) {
    set = new AddressSet(allowList.map(parseRange).filter(isNarrow));
    allowLists.set(allowList, set);
  }
  return set.has(address);
}

/** An entry that is none, or that would let everybody in, is left out: fewer may come in than meant, and never more. */
function isNarrow(range: AddressRange | undefined): range is AddressRange {
  return range !== undefined && !holdsAllIpv4(range);
}

/** Whether this address was verified for the mapping and still is. */
export function isVerifiedAddress(route: VerifiedAddresses, address: string, wallClockMs: number): boolean {
  if (route.verifiedIps.length === 0) return false;
  let addresses = verifiedAddresses.get(route);
  if (addresses === undefined) {
    addresses = readVerifiedIps(route);
    verifiedAddresses.set(route, addresses);
  }
  // Sockets write addresses in the one spelling already, which is found without being read.
  return (addresses.get(address) ?? addresses.get(canonicalAddress(address)) ?? 0) > wallClockMs;
}

/** Until when each address counts, at the longest. */
function readVerifiedIps({ verifiedIps, revokedVerifications }: VerifiedAddresses): Map<string, number> {
  const addresses = new Map<string, number>();
  const revoked = new Set(revokedVerifications);
  for (const { verificationId, ip, expiresAtMs } of verifiedIps) {
    if (revoked.has(verificationId)) continue;
    const address = canonicalAddress(ip);
    addresses.set(address, Math.max(expiresAtMs, addresses.get(address) ?? 0));
  }
  return addresses;
}
