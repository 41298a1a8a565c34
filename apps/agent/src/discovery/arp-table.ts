import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { wait } from '../net/wait.ts';

export type ArpEntry = { address: string; mac: string };

const ARP_TABLE = '/proc/net/arp';
/** The discard service (RFC 863): the byte is dropped, but the system has to find out the MAC address. */
const DISCARD_PORT = 9;
const NUDGES_PER_TURN = 20;
const TURN_MS = 50;
/** The system asks for an address three times, once a second. */
const ANSWER_MS = 1500;
const INCOMPLETE = '0x0';
const NO_MAC = '00:00:00:00:00:00';

/** Makes the system look up the MAC address of each, 400 in a second. Never rejects. */
export async function nudge(addresses: Iterable<string>, signal: AbortSignal): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => {}); // an unreachable host is an ordinary answer
  const byte = Buffer.alloc(1);
  let count = 0;
  for (const address of addresses) {
    if (signal.aborted) break;
    socket.send(byte, DISCARD_PORT, address, () => {});
    if (++count % NUDGES_PER_TURN === 0) await wait(TURN_MS, signal);
  }
  await wait(ANSWER_MS, signal);
  socket.close();
}

/** The ARP table of Linux; empty elsewhere. */
export async function readArpTable(): Promise<ArpEntry[]> {
  const table = await readFile(ARP_TABLE, 'utf8').catch(() => '');
  return parseArpTable(table);
}

export function parseArpTable(table: string): ArpEntry[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [address = '', , flags, mac = ''] = line.trim().split(/\s+/);
      const isKnown = flags !== INCOMPLETE && mac !== NO_MAC && /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac);
      return isKnown ? [{ address, mac: mac.toLowerCase() }] : [];
    });
}
