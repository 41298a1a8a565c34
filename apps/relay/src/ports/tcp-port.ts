import { createServer, type Server, type Socket } from 'node:net';
import { canonicalAddress } from '@tongtu/base';
import type { ConnectionLimit } from '../net/connection-limit.ts';
import { RawConnection } from '../passthrough/raw-connection.ts';
import { type ConnectionEnds, connectionEnds, connectionOrigin } from '../net/connection-ends.ts';
import { CookieMask } from './cookie-mask.ts';
import type { OpenPort, OpenPortDeps } from './open-port.ts';
import { askToMark, openVisit, recordDenial, type Visit } from './open-visit.ts';
import { encodeProxyV2 } from '../net/proxy-header.ts';

/** Large enough that a fast visitor is rarely paused. */
const WRITE_BUFFER_BYTES = 128 * 1024;

export type TcpPortDeps = OpenPortDeps & {
  /** The limit of all visitors' connections. */
  visitorLimit: ConnectionLimit;
  isConsoleHost: (host: string) => boolean;
};

/** A server for TcpPort, not yet listening. */
export function createTcpServer(): Server {
  return createServer({
    allowHalfOpen: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    noDelay: true,
    highWaterMark: WRITE_BUFFER_BYTES,
  });
}

/** A public port whose TCP connections are forwarded to a device, unchanged but for our cookies (`CookieMask`). */
export class TcpPort implements OpenPort {
  readonly #server: Server;
  readonly #deps: TcpPortDeps;
  readonly #connections = new Set<RawConnection>();
  /** Held connections: unread until the server has decided. */
  readonly #held = new Set<Socket>();

  constructor(server: Server, deps: TcpPortDeps) {
    this.#server = server;
    this.#deps = deps;
    server.on('connection', (socket) => this.#accept(socket));
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  stop(): void {
    this.#server.close();
  }

  close(): void {
    this.stop();
    for (const connection of this.#connections) connection.destroy();
    for (const socket of this.#held) socket.destroy();
  }

  sweep(monotonicMs: number): void {
    for (const connection of this.#connections) connection.sweep(monotonicMs, this.#deps.limits);
  }

  /** A refused visitor cannot get a page, so its connection is reset. */
  #accept(socket: Socket): void {
    socket.on('error', () => {});
    if (!this.#join(socket)) socket.resetAndDestroy();
  }

  #join(socket: Socket): boolean {
    const { limits, visitorLimit } = this.#deps;
    const ends = connectionEnds(socket);
    if (ends === undefined) return false;
    const address = canonicalAddress(ends.source.address);
    const leave =
      this.#connections.size + this.#held.size < limits.maxConnectionsPerPort ? visitorLimit.enter(address) : undefined;
    if (leave === undefined) {
      this.#deps.abuse.report('connections', { ip: address, at: 'tcp' });
      return false;
    }
    socket.once('close', leave);
    const visit = openVisit(this.#deps, address, 'TCP', { origin: connectionOrigin(ends) });
    if (visit === undefined) return this.#hold(socket, ends);
    this.#carry(socket, ends, visit);
    return true;
  }

  /** False when the visitor is refused at once. */
  #hold(socket: Socket, ends: ConnectionEnds): boolean {
    const address = canonicalAddress(ends.source.address);
    const isMarked = askToMark(this.#deps, address);
    if (isMarked === undefined) {
      recordDenial(this.#deps, address, 'TCP');
      return false;
    }
    this.#held.add(socket);
    void isMarked.then((isLetIn) => {
      this.#held.delete(socket);
      if (socket.destroyed) return;
      const visit = isLetIn ? openVisit(this.#deps, address, 'TCP', { origin: connectionOrigin(ends) }) : undefined;
      if (visit !== undefined) return this.#carry(socket, ends, visit);
      recordDenial(this.#deps, address, 'TCP');
      socket.resetAndDestroy();
    });
    return true;
  }

  #carry(socket: Socket, ends: ConnectionEnds, visit: Visit): void {
    const { monotonicMs, onConnectionClosed, isConsoleHost } = this.#deps;
    const mask = new CookieMask(isConsoleHost);
    if (visit.route.proxyProtocol) visit.stream.write(encodeProxyV2(ends));
    const connection = new RawConnection(socket, visit.stream, {
      meter: visit.meter,
      visit: visit.record,
      monotonicMs,
      onVisitorBytes: (chunk) => mask.apply(chunk),
      onClosed: (closed) => {
        this.#connections.delete(closed);
        onConnectionClosed();
      },
    });
    this.#connections.add(connection);
  }
}
