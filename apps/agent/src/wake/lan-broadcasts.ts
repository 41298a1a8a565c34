import { isIPv4 } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '@tongtu/base';

/** An own address, and the address that reaches everybody in its network. */
export type LanBroadcast = { address: string; broadcast: string };

/** A machine with very many virtual networks must not send hundreds of packets. */
const MAX_NETWORKS = 32;
/** Longer ones belong to links between two machines, which have no broadcast address. */
const MAX_PREFIX_BITS = 30;
const ADDRESS_BITS = 32;

/** The IPv4 networks of this machine that are private and have a broadcast address. */
export function lanBroadcasts(interfaces: ReturnType<typeof networkInterfaces>): LanBroadcast[] {
  return Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .flatMap(({ address, cidr, internal }) => {
      const prefixBits = Number(cidr?.split('/')[1]);
      const isLan = !internal && isIPv4(address) && isPrivateAddress(address) && prefixBits <= MAX_PREFIX_BITS;
      return isLan ? [{ address, broadcast: broadcastOf(address, prefixBits) }] : [];
    })
    .slice(0, MAX_NETWORKS);
}

function broadcastOf(address: string, prefixBits: number): string {
  const hostBits = ADDRESS_BITS - prefixBits;
  const bytes = Buffer.from(address.split('.').map(Number));
  // Arithmetic, because shifts of 32 bits and signed results would be wrong here.
  const size = 2 ** hostBits;
  bytes.writeUInt32BE(Math.floor(bytes.readUInt32BE() / size) * size + size - 1);
  return [...bytes].join('.');
}
