import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type PortService = AsyncDisposable & { port: number; sockets: Socket[] };

/** A LAN service over TCP that leaves half-open connections open. */
export async function startTcpService(onSocket: (socket: Socket) => void): Promise<PortService> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}); // visitors may disconnect at any time
    sockets.push(socket);
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP: never a pipe name
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A LAN service over UDP that answers every question, as a resolver does. */
export async function startUdpService(
  answer: (question: string) => string,
): Promise<AsyncDisposable & { port: number }> {
  const socket = createSocket('udp4');
  socket.on('message', (datagram, from) => socket.send(answer(datagram.toString()), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
