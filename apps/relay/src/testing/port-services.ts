import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type TcpService = AsyncDisposable & {
  port: number;
  sockets: Socket[];
  /** Resolves with the connection of that number, counted from 0. */
  socket(index: number): Promise<Socket>;
};

/** A TCP service in the LAN that keeps half-open connections open. */
export async function startTcpService(onSocket: (socket: Socket) => void = () => {}): Promise<TcpService> {
  const sockets: Socket[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}); // some tests cause a reset by the other side
    sockets.push(socket);
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    sockets,
    async socket(index) {
      while (sockets[index] === undefined) await once(server, 'connection');
      return sockets[index];
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type UdpPeer = AsyncDisposable & {
  port: number;
  socket: UdpSocket;
  received: string[];
  /** Resolves when that many datagrams were received. */
  waitFor(count: number): Promise<string[]>;
};

/** A UDP service in the LAN, or a visitor over UDP. */
export async function openUdpPeer(
  onMessage: (datagram: Buffer, from: RemoteInfo) => void = () => {},
  port = 0,
  address = '127.0.0.1',
): Promise<UdpPeer> {
  const socket = createSocket('udp4');
  const received: string[] = [];
  socket.on('message', (datagram, from) => {
    received.push(datagram.toString('latin1'));
    onMessage(datagram, from);
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    socket,
    received,
    async waitFor(count) {
      while (received.length < count) await once(socket, 'message');
      return received;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

/** A UDP service in the LAN that echoes every datagram. */
export async function startUdpEcho(): Promise<UdpPeer> {
  const peer = await openUdpPeer((datagram, from) => peer.socket.send(datagram, from.port, from.address));
  return peer;
}

/** A visitor of a port that may be about to open. The caller must handle an immediate reset. */
export async function visitPort(port: number, host = '127.0.0.1'): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host, allowHalfOpen: true });
    const code = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    socket.on('error', () => {});
    if (code !== 'ECONNREFUSED') return socket;
  }
}

/** Whether the port is open. If so, the check has opened and closed one connection. */
export async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const code = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  socket.on('error', () => {});
  socket.destroy();
  return code !== 'ECONNREFUSED';
}

/** How a connection ends: `ended`, or the error code of a reset. */
export function endOf(socket: Socket): Promise<string> {
  if (socket.errored !== null) return Promise.resolve((socket.errored as NodeJS.ErrnoException).code ?? 'error');
  return new Promise((resolve) => {
    socket.once('end', () => resolve('ended'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.resume();
  });
}
