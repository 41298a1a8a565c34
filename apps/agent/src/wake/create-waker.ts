import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { networkInterfaces } from 'node:os';
import { magicPacket } from '@tongtu/base';
import type { ProbeOutcome } from '../probe/probe.ts';
import { type LanBroadcast, lanBroadcasts } from './lan-broadcasts.ts';

/** "Discard": no program listens there, and network cards look for the packet in any case. */
const WAKE_PORT = 9;
const LIMITED_BROADCAST = '255.255.255.255';
const MAX_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const SEND_TIMEOUT_MS = 2_000;

/** Sends the packet that wakes the machine with this MAC address. Never throws. */
export type Waker = (mac: string) => Promise<ProbeOutcome>;

export type WakerDeps = { monotonicMs: () => number; networks: typeof networkInterfaces };

/** The relay chooses the MAC address alone; where the packet goes, this machine's networks say. Its rate is limited. */
export function createWaker({ monotonicMs, networks }: WakerDeps): Waker {
  let sentAtMs: number[] = [];
  return async (mac) => {
    const startedAtMs = monotonicMs();
    const outcome = (ok: boolean, seen: string): ProbeOutcome => {
      return { ok, step: 'udp', ms: Math.round(monotonicMs() - startedAtMs), seen };
    };
    const packet = magicPacket(mac);
    if (packet === undefined) return outcome(false, 'not_possible');
    sentAtMs = sentAtMs.filter((atMs) => startedAtMs - atMs < MINUTE_MS);
    if (sentAtMs.length >= MAX_PER_MINUTE) return outcome(false, 'busy');
    sentAtMs.push(startedAtMs);
    const sent = await Promise.all(lanBroadcasts(networks()).map((lan) => sendInto(lan, packet)));
    return sent.includes(true) ? outcome(true, 'sent') : outcome(false, 'no_network');
  };
}

/**
 * Sends to the network's own broadcast address, and to the one of every network, which some routers and cards want. From a
 * bound socket, because the latter would otherwise leave by the default route alone, or not at all without one.
 */
async function sendInto({ address, broadcast }: LanBroadcast, packet: Buffer): Promise<boolean> {
  const socket = createSocket('udp4');
  socket.on('error', () => {}); // the waiting call gets it, too
  try {
    socket.bind({ address, port: 0, exclusive: true });
    await once(socket, 'listening', { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    socket.setBroadcast(true);
    const sent = await Promise.all([broadcast, LIMITED_BROADCAST].map((to) => sendTo(socket, to, packet)));
    return sent.includes(true);
  } catch {
    return false; // the address has just been removed, or the system allows no broadcasts
  } finally {
    socket.close();
  }
}

function sendTo(socket: Socket, address: string, packet: Buffer): Promise<boolean> {
  return new Promise((resolve) => socket.send(packet, WAKE_PORT, address, (error) => resolve(error === null)));
}
