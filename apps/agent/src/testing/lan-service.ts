import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { TestCertificate } from './self-signed.ts';

/** The format of /proc/net/tcp. */
const ESTABLISHED = '01';

export type LanService = AsyncDisposable & {
  port: number;
  sockets: Socket[];
  nextSocket(): Promise<Socket>;
  /** Resets the TCP connection that was opened last, also under TLS. */
  resetLast(): void;
};

/** A service on the LAN: a real TCP or TLS server that leaves half-open connections open. */
export async function startLanService(
  onSocket: (socket: Socket) => void,
  options: { certificate?: TestCertificate; tls?: TlsOptions } = {},
): Promise<LanService> {
  const sockets: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const accept = (socket: Socket) => {
    socket.on('error', () => {}); // some tests cause a reset by the other side
    sockets.push(socket);
    onSocket(socket);
    for (const resolve of waiting.splice(0)) resolve(socket);
  };
  const server = options.certificate
    ? createTlsServer({ ...options.certificate, ...options.tls, allowHalfOpen: true }, accept)
    : createServer({ allowHalfOpen: true }, accept);
  const connections: Socket[] = [];
  server.on('connection', (connection: Socket) => connections.push(connection));
  const port = await listenOnLoopback(server);
  return {
    port,
    sockets,
    resetLast: () => void connections.at(-1)?.resetAndDestroy(),
    nextSocket: () =>
      sockets.length > 0 ? Promise.resolve(sockets.at(-1)!) : new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      // Includes sockets whose TLS handshake failed.
      for (const socket of [...sockets, ...connections]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // TCP: never a path
  });
}

/** Bytes that a reset of the connections on a local port would still drop; Linux only. */
export async function countUndelivered(port: number): Promise<number> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  const counts = rows.flatMap(([, local, , state, queues]) =>
    state === ESTABLISHED && local?.endsWith(suffix) ? Number.parseInt(queues ?? '', 16) : [],
  );
  return counts.reduce((sum, bytes) => sum + bytes, 0);
}
