import cluster from 'node:cluster';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type ListenOptions, type Server } from 'node:net';

/** As much as the system allows: bursts arrive while this process is busy. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

export type BindOptions = {
  host: string;
  port: number;
  /** Other processes that say so too listen on the same port, and the system spreads visitors over them. */
  isShared: boolean;
};

/** Binds the TCP ports of this process. */
export class TcpBinder {
  readonly #options: Omit<BindOptions, 'port'>;
  readonly #createServer: () => Server;
  readonly #takenInCluster = new Set<number>();

  constructor(options: Omit<BindOptions, 'port'>, createServer: () => Server) {
    this.#options = options;
    this.#createServer = createServer;
  }

  /** Must not be called again for the same port before it has settled. Rejects with the system's error. */
  async bind(port: number): Promise<Server> {
    const { host, isShared } = this.#options;
    // As workers of one cluster, processes that share a port share one socket: with SO_REUSEPORT each has a queue of its
    // own, whose clients are lost when its process stops (docs/adr/0011). UDP has no such queue, but conversations.
    if (isShared && cluster.isWorker && !this.#takenInCluster.has(port)) {
      try {
        return await this.#listen({ host, port });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
        // node:cluster keeps a socket that could not be bound, gives the same one to all other processes, and ends a
        // process that asks for it a second time (https://github.com/nodejs/node/issues/64869). From now on without it.
        this.#takenInCluster.add(port);
      }
    }
    return await this.#listen({ host, port, exclusive: true, reusePort: isShared });
  }

  async #listen(options: ListenOptions): Promise<Server> {
    const server = this.#createServer();
    server.listen({ ...options, backlog: 1024 });
    await once(server, 'listening');
    return server;
  }
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
