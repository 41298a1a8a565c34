import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isPrivateAddress } from '@tongtu/base';

/** At most the /22 around the own address of an interface is scanned. */
const MIN_PREFIX_BITS = 22;
const MAX_SUBNETS = 4;
/** Networks of containers, virtual machines and VPNs are not the LAN. The LAN bridge of a router is `br-lan`. */
const VIRTUAL_INTERFACE =
  /^(?:lo\d*|docker|br-[0-9a-f]{12}$|veth|virbr|cni|flannel|cali|lxc|lxd|podman|vmnet|vboxnet|tun|tap|wg|utun|ppp|tailscale|zt)/;
const NO_MAC = '00:00:00:00:00:00';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** A private IPv4 network that this machine is a member of, or the part of it that may be scanned. */
export type Subnet = {
  /** This machine's address in it. */
  address: string;
  mac: string | undefined;
  /** The first and the last address, as numbers, with network and broadcast address. */
  first: number;
  last: number;
};

/** The private networks that this machine has a LAN interface in. */
export function ownSubnets(interfaces: Interfaces): Subnet[] {
  const subnets: Subnet[] = [];
  for (const [name, addresses] of Object.entries(interfaces)) {
    if (VIRTUAL_INTERFACE.test(name)) continue;
    for (const entry of addresses ?? []) {
      const subnet = subnetOf(entry);
      const isKnown = subnets.some(({ first, last }) => first === subnet?.first && last === subnet.last);
      if (subnet && !isKnown) subnets.push(subnet);
    }
  }
  return subnets.slice(0, MAX_SUBNETS);
}

function subnetOf({ address, netmask, mac, internal }: NetworkInterfaceInfo): Subnet | undefined {
  if (internal || !isIPv4(address) || !isPrivateAddress(address)) return undefined;
  const own = toNumber(address);
  const mask = (toNumber(netmask) | maskOf(MIN_PREFIX_BITS)) >>> 0;
  const first = (own & mask) >>> 0;
  const last = (first | ~mask) >>> 0;
  // A /31 or /32 is a point-to-point link.
  if (last - first < 3) return undefined;
  return { address, mac: mac === NO_MAC ? undefined : mac.toLowerCase(), first, last };
}

/** Whether the address is a host of one of these networks. Nothing else is ever dialled. */
export function isInSubnets(subnets: readonly Subnet[], address: string): boolean {
  if (!isIPv4(address) || !isPrivateAddress(address)) return false;
  const number = toNumber(address);
  return subnets.some(({ first, last }) => number > first && number < last);
}

/** All host addresses, without this machine's own. */
export function* otherAddresses(subnets: readonly Subnet[]): Generator<string> {
  const own = new Set(subnets.map(({ address }) => address));
  for (const { first, last } of subnets) {
    for (let number = first + 1; number < last; number++) {
      const address = toAddress(number);
      if (!own.has(address) && isPrivateAddress(address)) yield address;
    }
  }
}

function maskOf(bits: number): number {
  return (0xff_ff_ff_ff << (32 - bits)) >>> 0;
}

function toNumber(address: string): number {
  return address.split('.').reduce((number, part) => ((number << 8) | Number(part)) >>> 0, 0);
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}
