import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A LAN with a sleeping machine: a network namespace, joined to this machine by a pair of interfaces. */
export type LanNamespace = AsyncDisposable & {
  /** Of this machine in that LAN. */
  ownAddress: string;
  /** Of the sleeping machine. Nothing has it until it wakes. */
  hostAddress: string;
  hostPort: number;
  /** Every magic packet, in hex, with its sender. A scan of the LAN sends shorter packets to the same port. */
  packets: { from: string; hex: string }[];
  nextPacket(): Promise<void>;
};

/** Why this machine cannot have one; empty when it can. For the titles of skipped tests. */
export const noNamespaces: string = (() => {
  const name = `tongtu-try-${process.pid}`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
    return '';
  } catch {
    return ' (left out: needs root on Linux and the program ip)';
  }
})();

const HOST_PORT = 2323;

/**
 * Creates the LAN. The machine wakes at the magic packet for `mac`: it takes its address and listens at its port, where it
 * greets each client, and sends back what it gets. `netNumber`: of this test file, so that files can run side by side.
 */
export async function createLanNamespace({
  mac,
  netNumber,
  greeting = '',
}: {
  mac: string;
  netNumber: number;
  greeting?: string;
}): Promise<LanNamespace> {
  const name = `tongtu-lan-${netNumber}`;
  const [ownLink, lanLink] = [`ttlan${netNumber}a`, `ttlan${netNumber}b`];
  const net = `10.213.${netNumber}`;
  const inside = ['netns', 'exec', name];
  await run('ip', ['netns', 'delete', name]).catch(() => {}); // left by a killed run
  await run('ip', ['link', 'delete', ownLink]).catch(() => {});
  await run('ip', ['netns', 'add', name]);
  await run('ip', ['link', 'add', ownLink, 'type', 'veth', 'peer', 'name', lanLink, 'netns', name]);
  await run('ip', ['address', 'add', `${net}.1/24`, 'dev', ownLink]);
  await run('ip', ['link', 'set', ownLink, 'up']);
  for (const link of ['lo', lanLink]) await run('ip', [...inside, 'ip', 'link', 'set', link, 'up']);
  // Another machine of the LAN, which sees what is broadcast there.
  await run('ip', [...inside, 'ip', 'address', 'add', `${net}.2/24`, 'dev', lanLink]);

  const host = { mac, greeting, address: `${net}.3`, link: lanLink, port: HOST_PORT };
  const child = spawn('ip', [...inside, process.execPath, '--input-type=module', '-e', sleeper, JSON.stringify(host)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const packets: LanNamespace['packets'] = [];
  let onPacket = () => {};
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line'); // it listens
  lines.on('line', (line) => {
    packets.push(JSON.parse(line));
    onPacket();
  });
  return {
    ownAddress: `${net}.1`,
    hostAddress: host.address,
    hostPort: HOST_PORT,
    packets,
    nextPacket: async () => await new Promise((resolve) => (onPacket = resolve)),
    async [Symbol.asyncDispose]() {
      await stop(child);
      await run('ip', ['netns', 'delete', name]); // takes both interfaces with it
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
  execFileSync('ip', ['address', 'add', address + '/24', 'dev', link]);
  createServer((client) => {
    client.on('error', () => {});
    client.write(greeting);
    client.pipe(client);
  }).listen(port, address);
});
socket.bind(9, '0.0.0.0', () => process.stdout.write('listening\\n'));
`;
