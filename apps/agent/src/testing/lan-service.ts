import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestCertificate } from './self-signed.ts';

export type LanService = AsyncDisposable & { port: number; sockets: Socket[]; nextSocket(): Promise<Socket> };

/** A service on the LAN: a real TCP or TLS server that leaves half-open connections open. */
export async function startLanService(
  onSocket: (socket: Socket) => void,
  options: { certificate?: TestCertificate } = {},
): Promise<LanService> {
  const sockets: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const accept = (socket: Socket) => {
    socket.on('error', () => {}); // a reset by the other side is what some tests are about
    sockets.push(socket);
    onSocket(socket);
    for (const resolve of waiting.splice(0)) resolve(socket);
  };
  const server = options.certificate
    ? createTlsServer({ ...options.certificate, allowHalfOpen: true }, accept)
    : createServer({ allowHalfOpen: true }, accept);
  const port = await listenOnLoopback(server);
  return {
    port,
    sockets,
    nextSocket: () =>
      sockets.length > 0 ? Promise.resolve(sockets.at(-1)!) : new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
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

/** A port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
