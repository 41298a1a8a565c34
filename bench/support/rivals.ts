import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@tongtu/base/testing/free-port';
import { Children, versionOf, waitForPort } from './children.ts';
import type { Address } from './load.ts';

/** Another tunnel to the same web server, with encryption like ours. */
export type Rival = AsyncDisposable & {
  name: string;
  version: string;
  /** Whether it parses the visitors' HTTP or passes bytes on. It is compared with our mapping of the same kind. */
  layer: 'http' | 'tcp';
  address: Address;
  /** The target for our requests/s, as a multiple of the other tunnel's. */
  minRequests: number;
  /** The target for the speed of a download, as a multiple of the other tunnel's. */
  minBulk: number;
  /** For the measurement of memory: starts a separate, unused server. */
  startIdle?: (children: Children) => Promise<IdleRival>;
};

type IdleRival = { serverPid: number; addDevice: () => void };

type Setup = { dir: string; ports: number[]; webPort: number };

/** The bare one, and those that the environment names: FRP_DIR (a folder with frps and frpc), RATHOLE, CHISEL. */
export async function startRivals(webPort: number): Promise<Rival[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-rivals-'));
  const rivals = [await startBare({ dir, ports: await freePorts(2), webPort })];
  const { FRP_DIR, RATHOLE, CHISEL } = process.env;
  if (FRP_DIR) rivals.push(...(await startFrp(FRP_DIR, { dir, ports: await freePorts(4), webPort })));
  if (RATHOLE) rivals.push(await startRathole(RATHOLE, { dir, ports: await freePorts(2), webPort }));
  if (CHISEL) rivals.push(await startChisel(CHISEL, { dir, ports: await freePorts(2), webPort }));
  return rivals;
}

/** Two processes of Node.js with no more than any tunnel must do. */
async function startBare({ ports, webPort }: Setup): Promise<Rival> {
  const [tunnelPort = 0, visitorPort = 0] = ports;
  const program = path.join(import.meta.dirname, 'bare-tunnel-process.ts');
  const children = new Children();
  children.start(process.execPath, [program, 'server', String(tunnelPort), String(visitorPort)]);
  await waitForPort(tunnelPort);
  children.start(process.execPath, [program, 'client', String(tunnelPort), String(webPort)]);
  await waitForPort(visitorPort);
  return {
    name: 'bare Node.js',
    version: process.version,
    layer: 'tcp',
    address: { port: visitorPort, host: 'localhost' },
    minRequests: 0.9,
    minBulk: 1,
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
}

/** With its defaults: TLS to the client, and one connection for all visitors. */
async function startFrp(frpDir: string, { dir, ports, webPort }: Setup): Promise<Rival[]> {
  const [bindPort = 0, httpPort = 0, tcpPort = 0, idlePort = 0] = ports;
  await writeFile(
    path.join(dir, 'frps.toml'),
    `bindAddr = "127.0.0.1"\nbindPort = ${bindPort}\nvhostHTTPPort = ${httpPort}\n`,
  );
  const proxies = `[[proxies]]
name = "http"
type = "http"
localPort = ${webPort}
customDomains = ["bench.localhost"]
[[proxies]]
name = "tcp"
type = "tcp"
localPort = ${webPort}
remotePort = ${tcpPort}
`;
  await writeFile(path.join(dir, 'frpc.toml'), `serverAddr = "127.0.0.1"\nserverPort = ${bindPort}\n${proxies}`);
  const children = new Children();
  children.start(path.join(frpDir, 'frps'), ['-c', path.join(dir, 'frps.toml')]);
  await waitForPort(bindPort);
  children.start(path.join(frpDir, 'frpc'), ['-c', path.join(dir, 'frpc.toml')]);
  await waitForPort(tcpPort);
  const version = versionOf(path.join(frpDir, 'frps'), '--version', 'FRP_DIR');
  const common = {
    version,
    minRequests: 1.5,
    minBulk: 1,
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
  const startIdle = (idle: Children) => startIdleFrp(frpDir, { dir, port: idlePort, children: idle });
  return [
    { ...common, name: 'frp http', layer: 'http', address: { port: httpPort, host: 'bench.localhost' }, startIdle },
    { ...common, name: 'frp tcp', layer: 'tcp', address: { port: tcpPort, host: 'localhost' } },
  ];
}

async function startIdleFrp(
  frpDir: string,
  { dir, port, children }: { dir: string; port: number; children: Children },
): Promise<IdleRival> {
  const serverConfig = path.join(dir, 'idle-frps.toml');
  const clientConfig = path.join(dir, 'idle-frpc.toml');
  await writeFile(serverConfig, `bindAddr = "127.0.0.1"\nbindPort = ${port}\n`);
  await writeFile(clientConfig, `serverAddr = "127.0.0.1"\nserverPort = ${port}\n`);
  const serverPid = children.start(path.join(frpDir, 'frps'), ['-c', serverConfig]);
  await waitForPort(port);
  return { serverPid, addDevice: () => void children.start(path.join(frpDir, 'frpc'), ['-c', clientConfig]) };
}

/** Encrypted by its noise transport, which needs no certificate. */
async function startRathole(program: string, { dir, ports, webPort }: Setup): Promise<Rival> {
  const [bindPort = 0, tcpPort = 0] = ports;
  const keys = execFileSync(program, ['--genkey'], { encoding: 'utf8' });
  const [, privateKey = '', publicKey = ''] = /Private Key:\s*(\S+)\s+Public Key:\s*(\S+)/.exec(keys) ?? [];
  const noise = (key: string) => `type = "noise"\n[KIND.transport.noise]\n${key}\n`;
  const transport = (kind: string, key: string) => `[${kind}.transport]\n${noise(key).replace('KIND', kind)}`;
  await writeFile(
    path.join(dir, 'rathole-server.toml'),
    `[server]\nbind_addr = "127.0.0.1:${bindPort}"\ndefault_token = "bench"\n${transport('server', `local_private_key = "${privateKey}"`)}[server.services.web]\nbind_addr = "127.0.0.1:${tcpPort}"\n`,
  );
  await writeFile(
    path.join(dir, 'rathole-client.toml'),
    `[client]\nremote_addr = "127.0.0.1:${bindPort}"\ndefault_token = "bench"\n${transport('client', `remote_public_key = "${publicKey}"`)}[client.services.web]\nlocal_addr = "127.0.0.1:${webPort}"\n`,
  );
  const children = new Children();
  children.start(program, ['--server', path.join(dir, 'rathole-server.toml')]);
  await waitForPort(bindPort);
  children.start(program, ['--client', path.join(dir, 'rathole-client.toml')]);
  await waitForPort(tcpPort);
  return {
    name: 'rathole',
    version: versionOf(program, '--help', 'RATHOLE'),
    layer: 'tcp',
    address: { port: tcpPort, host: 'localhost' },
    minRequests: 1.3,
    minBulk: 1.5,
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
}

/** SSH inside a WebSocket, its only transport. */
async function startChisel(program: string, { ports, webPort }: Setup): Promise<Rival> {
  const [bindPort = 0, tcpPort = 0] = ports;
  const children = new Children();
  children.start(program, ['server', '--host', '127.0.0.1', '--port', String(bindPort), '--reverse']);
  await waitForPort(bindPort);
  const remote = `R:127.0.0.1:${tcpPort}:127.0.0.1:${webPort}`;
  children.start(program, ['client', `http://127.0.0.1:${bindPort}`, remote]);
  await waitForPort(tcpPort);
  return {
    name: 'chisel',
    version: versionOf(program, '--version', 'CHISEL'),
    layer: 'tcp',
    address: { port: tcpPort, host: 'localhost' },
    minRequests: 1.3,
    minBulk: 1.5,
    [Symbol.asyncDispose]: () => children[Symbol.asyncDispose](),
  };
}
