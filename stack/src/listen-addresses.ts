import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { StackConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

type Listening = Pick<StackConfig, 'host' | 'httpPort' | 'tlsPort' | 'tunnelPorts' | 'frp'>;

/** `::` includes IPv4, but fails on a system without IPv6. */
export async function resolveListenHost(host: string): Promise<string> {
  if (host !== '::') return host;
  const error = await tryToListen(host, 0);
  return error?.code === 'EAFNOSUPPORT' || error?.code === 'EADDRNOTAVAIL' ? '0.0.0.0' : host;
}

/**
 * Replaces each port 0 by a free port: processes that share a port, agents and the console's address need the number.
 * If another program takes it in between, the start fails with a message.
 */
export async function choosePorts<Ports extends Listening>(listening: Ports): Promise<Ports> {
  await using probes = new AsyncDisposableStack();
  const choose = async (port: number): Promise<number> => {
    if (port !== 0) return port;
    const probe = createServer().listen({ host: listening.host, port: 0 });
    await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw cannotListen(listening, port, error);
    });
    // The probes stay open until all ports are chosen, so that they differ.
    probes.defer(() => new Promise((resolve) => probe.close(() => resolve())));
    return (probe.address() as AddressInfo).port; // it listens on TCP
  };
  const tunnelPorts = await Promise.all(listening.tunnelPorts.map(choose));
  return {
    ...listening,
    httpPort: await choose(listening.httpPort),
    tlsPort: await choose(listening.tlsPort),
    tunnelPorts,
    frp:
      listening.frp?.port === undefined ? listening.frp : { ...listening.frp, port: await choose(listening.frp.port) },
  };
}

/** Runs before the database is opened, so that a start that cannot succeed changes nothing. Throws OperatorError. */
export async function assertPortsAreFree(listening: Listening): Promise<void> {
  for (const port of portsOf(listening)) {
    const error = await tryToListen(listening.host, port);
    if (error) throw cannotListen(listening, port, error);
  }
}

/** The ports on which the product listens for others. */
export function portsOf({ httpPort, tlsPort, tunnelPorts, frp }: Omit<Listening, 'host'>): number[] {
  return [httpPort, tlsPort, ...tunnelPorts, ...(frp?.port === undefined ? [] : [frp.port])];
}

/** The error for the operator when a port cannot be bound. */
export function cannotListen(listening: Listening, port: number, cause: NodeJS.ErrnoException): OperatorError {
  const name = variableOf(listening, port);
  if (cause.code === 'EADDRINUSE') {
    return new OperatorError(`端口 ${port} 已被占用。请先停止占用它的程序，或用 ${name} 指定其他端口`, { cause });
  }
  if (cause.code === 'EACCES') {
    return new OperatorError(`没有使用端口 ${port} 的权限。请用 ${name} 指定 1024 以上的端口`, { cause });
  }
  const what = port === 0 ? '' : ` 的端口 ${port}`;
  return new OperatorError(
    `无法监听 ${listening.host}${what}（${cause.code}）。请检查 HOST，它必须是这台机器的 IP 地址，例如 127.0.0.1`,
    { cause },
  );
}

function variableOf({ httpPort, tlsPort, frp }: Listening, port: number): string {
  const names = new Map([
    [frp?.port, 'FRP_PORT'],
    [tlsPort, 'TLS_PORT'],
    [httpPort, 'PORT'],
  ]);
  return names.get(port) ?? 'TUNNEL_PORT';
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
