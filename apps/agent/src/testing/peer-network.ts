import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import path from 'node:path';

const PEER = path.join(import.meta.dirname, 'lan-peer.ts');

export type PeerNetwork = AsyncDisposable & {
  /** This machine's interface in the LAN. */
  interfaces: Record<string, NetworkInterfaceInfo[]>;
  /** This machine, and the other host. */
  own: string;
  peer: string;
  peerMac: string;
};

function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** A LAN of this machine and one other host, which is a network namespace that runs `lan-peer.ts`. */
export async function openPeerNetwork(): Promise<PeerNetwork> {
  const parts = new AsyncDisposableStack();
  const { pid } = process;
  const namespace = `tongtu-lan-${pid}`;
  const [near, far] = [`lan${pid}`, `far${pid}`];
  const network = `10.${200 + (pid % 50)}.${pid % 250}`;
  const [own, peer] = [`${network}.1`, `${network}.2`];
  ip('netns', 'add', namespace);
  parts.defer(() => void ip('netns', 'delete', namespace));
  // The pair disappears with the namespace.
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace);
  ip('address', 'add', `${own}/28`, 'dev', near);
  ip('link', 'set', near, 'up');
  for (const args of [
    ['address', 'add', `${peer}/28`, 'dev', far],
    ['link', 'set', 'lo', 'up'],
    ['link', 'set', far, 'up'],
    ['route', 'add', 'default', 'via', own],
  ])
    ip('-n', namespace, ...args);
  const link: unknown = JSON.parse(ip('-n', namespace, '-j', 'link', 'show', far));
  const process_ = spawn('ip', ['netns', 'exec', namespace, process.execPath, PEER, peer, own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  parts.defer(async () => await end(process_));
  await once(process_.stdout, 'data');
  return {
    interfaces: { [near]: networkInterfaces()[near] ?? [] },
    own,
    peer,
    peerMac: (link as { address: string }[])[0]?.address ?? '', // the format of ip
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
