import { BlockList, isIP } from 'node:net';
import { canonicalAddress, withoutZone } from '@tongtu/base';
import type { DeviceRoutes, Route } from '@tongtu/contract';

// What the server told of a device is never changed in place, so each picture of it is read once.
const allowLists = new WeakMap<DeviceRoutes, BlockList>();
const verifiedAddresses = new WeakMap<Route, Map<string, number>>();

/** Whether the device's owner lets this address pass all mappings. */
export function isAllowListed(device: DeviceRoutes, address: string): boolean {
  if (device.allowList.length === 0) return false;
  let list = allowLists.get(device);
  if (list === undefined) {
    list = readAllowList(device.allowList);
    allowLists.set(device, list);
  }
  const plain = withoutZone(address);
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether this address was verified for the mapping and still is. */
export function isVerifiedAddress(route: Route, address: string, nowMs: number): boolean {
  if (route.verifiedIps.length === 0) return false;
  let addresses = verifiedAddresses.get(route);
  if (addresses === undefined) {
    addresses = readVerifiedIps(route);
    verifiedAddresses.set(route, addresses);
  }
  return (addresses.get(canonicalAddress(address)) ?? 0) > nowMs;
}

/** An entry that is none, or that would let everybody in, is left out: it can only let fewer in than meant. */
function readAllowList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    if (version === 0 || rest.length > 0) continue;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    const maxBits = version === 4 ? 32 : 128;
    if (prefix === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= maxBits && !isEverybody(address, Number(prefix)))
      list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** All addresses, or all of IPv4: the list compares IPv4 addresses as `::ffff:…`, so a wide range of IPv6 holds them. */
function isEverybody(address: string, bits: number): boolean {
  if (isIP(address) === 4 || bits === 0) return bits === 0;
  const range = new BlockList();
  range.addSubnet(address, bits, 'ipv6');
  return bits <= 96 && range.check('::ffff:0:0', 'ipv6');
}

/** Until when each address counts, at the longest. */
function readVerifiedIps({ verifiedIps, revokedVerifications }: Route): Map<string, number> {
  const addresses = new Map<string, number>();
  const revoked = new Set(revokedVerifications);
  for (const { verificationId, ip, expiresAtMs } of verifiedIps) {
    if (revoked.has(verificationId)) continue;
    const address = canonicalAddress(ip);
    addresses.set(address, Math.max(expiresAtMs, addresses.get(address) ?? 0));
  }
  return addresses;
}
