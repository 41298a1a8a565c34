import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import path from 'node:path';
import type { LanLink } from './lan-link.ts';

const PEER = path.join(import.meta.dirname, 'lan-peer.ts');

export type PeerNetwork = AsyncDisposable & {
  /** This machine's interface in the LAN. */
  interfaces: Record<string, NetworkInterfaceInfo[]>;
  /** This machine, and the other host. */
  own: string;
  peer: string;
  peerMac: string;
};

/** Puts the host of `lan-peer.ts` into the LAN. */
export async function addPeer({ namespace, near, far, own, peer }: LanLink): Promise<PeerNetwork> {
  const link: unknown = JSON.parse(
    execFileSync('ip', ['-n', namespace, '-j', 'link', 'show', far], { encoding: 'utf8' }),
  );
  const child = spawn('ip', ['netns', 'exec', namespace, process.execPath, PEER, peer, own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    interfaces: { [near]: networkInterfaces()[near] ?? [] },
    own,
    peer,
    peerMac: (link as { address: string }[])[0]?.address ?? '', // the format of ip
    [Symbol.asyncDispose]: async () => await end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
