import { type AddressRange, AddressSet, canonicalAddress, holdsAllIpv4, parseRange } from '@tongtu/base';
import type { DeviceRoutes, Route } from '../relay-control.ts';

type AllowList = DeviceRoutes['allowList'];
type VerifiedAddresses = Pick<Route, 'verifiedIps' | 'revokedVerifications'>;

// Devices and routes are immutable, so each is parsed once and cached.
const allowLists = new WeakMap<AllowList, AddressSet>();
const verifiedAddresses = new WeakMap<VerifiedAddresses, Map<string, number>>();

/** Whether the address is on the device's allow-list. */
export function isAllowListed(allowList: AllowList, address: string): boolean {
  if (allowList.length === 0) return false;
  let set = allowLists.get(allowList);
  if (set === undefined) {
    set = new AddressSet(allowList.map(parseRange).filter(isNarrow));
    allowLists.set(allowList, set);
  }
  return set.has(address);
}

/**
 * Invalid entries, and ranges that contain every IPv4 address, are ignored. This may refuse too many visitors, but
 * never lets in too many.
 */
function isNarrow(range: AddressRange | undefined): range is AddressRange {
  return range !== undefined && !holdsAllIpv4(range);
}

/** Whether the address has a valid verification for the mapping. */
export function isVerifiedAddress(route: VerifiedAddresses, address: string, wallClockMs: number): boolean {
  if (route.verifiedIps.length === 0) return false;
  let addresses = verifiedAddresses.get(route);
  if (addresses === undefined) {
    addresses = readVerifiedIps(route);
    verifiedAddresses.set(route, addresses);
  }
  // Sockets already report addresses in canonical form, so the first lookup needs no parsing.
  return (addresses.get(address) ?? addresses.get(canonicalAddress(address)) ?? 0) > wallClockMs;
}

/** The latest expiry of each address. */
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
