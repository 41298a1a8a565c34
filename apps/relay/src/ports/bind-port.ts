import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type Server } from 'node:net';

/** As much as the system allows of it: bursts come while this process does something else. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

export type BindOptions = {
  host: string;
  port: number;
  /** Other processes that say so too listen on the same port, and the system spreads visitors over them. */
  isShared: boolean;
};

/** Rejects with the system's error. */
export async function bindTcp(server: Server, { host, port, isShared }: BindOptions): Promise<void> {
  // `exclusive`: a relay process is a worker of a cluster, whose first process would bind in its place.
  server.listen({ host, port, backlog: 1024, reusePort: isShared, exclusive: true });
  await once(server, 'listening');
}

/** `::` takes in IPv4 as well. Rejects with the system's error. */
export async function bindUdp({ host, port, isShared }: BindOptions): Promise<UdpSocket> {
  const family = isIP(host) || (await lookup(host)).family;
  const type = family === 6 ? 'udp6' : 'udp4';
  const socket = createSocket({ type, reusePort: isShared, recvBufferSize: RECEIVE_BUFFER_BYTES });
  try {
    socket.bind({ address: host, port, exclusive: true });
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}
