import cluster from 'node:cluster';
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
  // As workers of one cluster, processes that share a port share one socket: with SO_REUSEPORT each has a queue of its
  // own, and whoever waits in it is lost when its process stops (docs/adr/0011). UDP has no such queue, but conversations.
  const sharing = isShared && cluster.isWorker ? {} : { reusePort: isShared, exclusive: true };
  server.listen({ host, port, backlog: 1024, ...sharing });
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
