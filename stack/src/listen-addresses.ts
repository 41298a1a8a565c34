import { createServer } from 'node:net';
import type { StackConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

type Listening = Pick<StackConfig, 'host' | 'httpPort' | 'tlsPort' | 'tunnelPorts'>;

/** `::` takes in IPv4 as well, but a system without IPv6 does not know it. */
export async function resolveListenHost(host: string): Promise<string> {
  if (host !== '::') return host;
  const error = await tryToListen(host, 0);
  return error?.code === 'EAFNOSUPPORT' || error?.code === 'EADDRNOTAVAIL' ? '0.0.0.0' : host;
}

/** Asked before the database is touched, so that a start that cannot succeed changes nothing. Throws OperatorError. */
export async function assertPortsAreFree(listening: Listening): Promise<void> {
  for (const port of [listening.httpPort, listening.tlsPort, ...listening.tunnelPorts]) {
    const error = await tryToListen(listening.host, port);
    if (error) throw cannotListen(listening, port, error);
  }
}

/** What the operator is told when a port cannot be had. */
export function cannotListen(listening: Listening, port: number, cause: NodeJS.ErrnoException): OperatorError {
  const name = port === listening.httpPort ? 'PORT' : port === listening.tlsPort ? 'TLS_PORT' : 'TUNNEL_PORT';
  if (cause.code === 'EADDRINUSE') {
    return new OperatorError(`端口 ${port} 已被占用。请先停止占用它的程序，或用 ${name} 指定其他端口`, { cause });
  }
  if (cause.code === 'EACCES') {
    return new OperatorError(`没有使用端口 ${port} 的权限。请用 ${name} 指定 1024 以上的端口`, { cause });
  }
  return new OperatorError(`无法监听 ${listening.host} 的端口 ${port}（${cause.code}）。请检查 HOST`, { cause });
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
