import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

export type UdpService = AsyncDisposable & { port: number; socket: Socket; received: Buffer[]; from: RemoteInfo[] };

/** A service on the LAN that speaks UDP. */
export async function startUdpService(
  onMessage: (datagram: Buffer, from: RemoteInfo, socket: Socket) => void = () => {},
  host = '127.0.0.1',
): Promise<UdpService> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const received: Buffer[] = [];
  const senders: RemoteInfo[] = [];
  socket.on('message', (datagram, from) => {
    received.push(datagram);
    senders.push(from);
    onMessage(datagram, from, socket);
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    socket,
    received,
    from: senders,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

export function sendBack(datagram: Buffer, from: RemoteInfo, socket: Socket): void {
  socket.send(datagram, from.port, from.address);
}
