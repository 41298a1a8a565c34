import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePorts } from '@tongtu/base/testing/free-port';
import { must } from '@tongtu/base';
import { Children, versionOf, waitForPort } from '../support/children.ts';
import type { Address } from '../support/load.ts';
import { inNamespace, serverIp } from './namespaces.ts';

/** A tunnel whose server runs. `transport`: what carries it over the line; `ours` is compared with the others. */
export type Tunnel = {
  name: string;
  version: string;
  transport: 'ours' | 'tcp' | 'udp';
  address: Address;
  /** Starts the home's end. Each condition has a new one, so that no connection knows the one before. */
  startHome: () => AsyncDisposable & { output?: string };
};

export type Setup = { folder: string; homeNamespace: string; webPort: number };

/** What the environment has to name for each. */
const requirements = {
  'frp-tcp': 'FRP_DIR',
  'frp-quic': 'FRP_DIR',
  'frp-kcp': 'FRP_DIR',
  chisel: 'CHISEL',
  rathole: 'RATHOLE',
  'rathole-noise': 'RATHOLE',
} as const;
export type PeerName = keyof typeof requirements;
export const peerNames = Object.keys(requirements) as PeerName[];

/** Starts the servers of these peers, and says which are not there. */
export async function startPeers(names: PeerName[], setup: Setup): Promise<AsyncDisposable & { peers: Tunnel[] }> {
  const children = new Children();
  const peers: Tunnel[] = [];
  for (const name of names) {
    const program = process.env[requirements[name]];
    if (!program) console.error(`without ${name}: ${requirements[name]} is not set`);
    else peers.push(await starters[name](program, { ...setup, children }));
  }
  return { peers, [Symbol.asyncDispose]: () => children[Symbol.asyncDispose]() };
}

/** Starts a program in the home. */
export function startInHome(homeNamespace: string, command: string[]): Children {
  const children = new Children();
  children.start('ip', inNamespace(homeNamespace, command));
  return children;
}

type PeerSetup = Setup & { children: Children };
type Starter = (program: string, setup: PeerSetup) => Promise<Tunnel>;
const starters: Record<PeerName, Starter> = {
  'frp-tcp': (dir, setup) => startFrp(dir, setup, 'tcp'),
  'frp-quic': (dir, setup) => startFrp(dir, setup, 'quic'),
  'frp-kcp': (dir, setup) => startFrp(dir, setup, 'kcp'),
  chisel: startChisel,
  rathole: (program, setup) => startRathole(program, setup, { isEncrypted: false }),
  'rathole-noise': (program, setup) => startRathole(program, setup, { isEncrypted: true }),
};

/** With its defaults but for the transport. */
async function startFrp(dir: string, setup: PeerSetup, protocol: 'tcp' | 'quic' | 'kcp'): Promise<Tunnel> {
  const { folder, children, homeNamespace, webPort } = setup;
  const [bindPort = 0, udpPort = 0, visitorPort = 0] = await freePorts(3);
  const name = `frp-${protocol}`;
  const [serverFile, homeFile] = ['frps', 'frpc'].map((end) => path.join(folder, `${name}-${end}.toml`)) as [
    string,
    string,
  ]; // as many as ends
  const udp = protocol === 'tcp' ? '' : `${protocol}BindPort = ${udpPort}\n`;
  await writeFile(serverFile, `bindAddr = "0.0.0.0"\nbindPort = ${bindPort}\n${udp}`);
  await writeFile(
    homeFile,
    `serverAddr = "${serverIp}"
serverPort = ${protocol === 'tcp' ? bindPort : udpPort}
transport.protocol = "${protocol}"
loginFailExit = false
[[proxies]]
name = "web"
type = "tcp"
localPort = ${webPort}
remotePort = ${visitorPort}
`,
  );
  children.start(path.join(dir, 'frps'), ['-c', serverFile]);
  await waitForPort(bindPort);
  return {
    name,
    version: versionOf(path.join(dir, 'frps'), '--version', 'FRP_DIR'),
    transport: protocol === 'tcp' ? 'tcp' : 'udp',
    address: { port: visitorPort, host: 'localhost' },
    startHome: () => startInHome(homeNamespace, [path.join(dir, 'frpc'), '-c', homeFile]),
  };
}

/** Its only transport: SSH inside a WebSocket. */
async function startChisel(program: string, { children, homeNamespace, webPort }: PeerSetup): Promise<Tunnel> {
  const [bindPort = 0, visitorPort = 0] = await freePorts(2);
  children.start(program, ['server', '--host', '0.0.0.0', '--port', String(bindPort), '--reverse']);
  await waitForPort(bindPort);
  const remote = `R:127.0.0.1:${visitorPort}:127.0.0.1:${webPort}`;
  return {
    name: 'chisel',
    version: versionOf(program, '--version', 'CHISEL'),
    transport: 'tcp',
    address: { port: visitorPort, host: 'localhost' },
    startHome: () => startInHome(homeNamespace, [program, 'client', `http://${serverIp}:${bindPort}`, remote]),
  };
}

/** By default it does not encrypt, and each visitor's connection has one of its own over the line. */
async function startRathole(
  program: string,
  setup: PeerSetup,
  { isEncrypted }: { isEncrypted: boolean },
): Promise<Tunnel> {
  const { folder, children, homeNamespace, webPort } = setup;
  const [bindPort = 0, visitorPort = 0] = await freePorts(2);
  const name = isEncrypted ? 'rathole-noise' : 'rathole';
  const [serverFile, homeFile] = ['server', 'client'].map((end) => path.join(folder, `${name}-${end}.toml`)) as [
    string,
    string,
  ]; // as many as ends
  const keys = execFileSync(program, ['--genkey'], { encoding: 'utf8' });
  const [, privateKey = '', publicKey = ''] = must(/Private Key:\s*(\S+)\s+Public Key:\s*(\S+)/.exec(keys), 'keys');
  const noise = (end: string, key: string) =>
    isEncrypted ? `[${end}.transport]\ntype = "noise"\n[${end}.transport.noise]\n${key}\n` : '';
  await writeFile(
    serverFile,
    `[server]
bind_addr = "0.0.0.0:${bindPort}"
default_token = "bench"
${noise('server', `local_private_key = "${privateKey}"`)}[server.services.web]
bind_addr = "127.0.0.1:${visitorPort}"
`,
  );
  await writeFile(
    homeFile,
    `[client]
remote_addr = "${serverIp}:${bindPort}"
default_token = "bench"
${noise('client', `remote_public_key = "${publicKey}"`)}[client.services.web]
local_addr = "127.0.0.1:${webPort}"
`,
  );
  children.start(program, ['--server', serverFile]);
  await waitForPort(bindPort);
  return {
    name,
    version: versionOf(program, '--help', 'RATHOLE'),
    transport: 'tcp',
    address: { port: visitorPort, host: 'localhost' },
    startHome: () => startInHome(homeNamespace, [program, '--client', homeFile]),
  };
}
