import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { LanLink } from './lan-link.ts';

const run = promisify(execFile);

/** A machine of a LAN that is off until it is woken. */
export type SleepingHost = AsyncDisposable & {
  /** Nothing has it until the machine wakes. */
  address: string;
  port: number;
  /** Every magic packet that has arrived in the LAN, in hex, with its sender. Scans send shorter ones to its port. */
  packets: { from: string; hex: string }[];
  nextPacket(): Promise<void>;
};

const HOST_PORT = 2323;

/**
 * Puts a machine into the LAN, which sleeps until the magic packet for `mac` arrives: then it takes its address and
 * listens at its port, where it greets each client, and sends back what it gets. At the end it is gone again.
 */
export async function addSleepingHost(
  link: LanLink,
  { mac, greeting = '' }: { mac: string; greeting?: string },
): Promise<SleepingHost> {
  const inside = ['netns', 'exec', link.namespace];
  const host = { mac, greeting, address: link.free, link: link.far, port: HOST_PORT };
  const child = spawn('ip', [...inside, process.execPath, '--input-type=module', '-e', sleeper, JSON.stringify(host)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const packets: SleepingHost['packets'] = [];
  let onPacket = () => {};
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line'); // it listens
  lines.on('line', (line) => {
    packets.push(JSON.parse(line));
    onPacket();
  });
  return {
    address: host.address,
    port: HOST_PORT,
    packets,
    nextPacket: async () => await new Promise((resolve) => (onPacket = resolve)),
    async [Symbol.asyncDispose]() {
      await stop(child);
      await run('ip', ['-n', link.namespace, 'address', 'delete', `${host.address}/28`, 'dev', link.far]).catch(
        () => {}, // it never woke
      );
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Runs inside of the namespace. */
const sleeper = `
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const { mac, greeting, address, link, port } = JSON.parse(process.argv[1]);
const magic = 'ff'.repeat(6) + mac.replaceAll(':', '').repeat(16);
let isAwake = false;
const socket = createSocket('udp4');
socket.on('message', (bytes, { address: from }) => {
  if (bytes.length < magic.length / 2) return;
  const hex = bytes.toString('hex');
  process.stdout.write(JSON.stringify({ from, hex }) + '\\n');
  if (hex !== magic || isAwake) return;
  isAwake = true;
  execFileSync('ip', ['address', 'add', address + '/28', 'dev', link]);
  createServer((client) => {
    client.on('error', () => {});
    client.write(greeting);
    client.pipe(client);
  }).listen(port, address);
});
socket.bind(9, '0.0.0.0', () => process.stdout.write('listening\\n'));
`;
