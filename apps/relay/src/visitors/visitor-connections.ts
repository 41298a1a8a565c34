import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { canonicalAddress } from '@tongtu/base';
import { connectionEnds, connectionOrigin } from '../net/connection-ends.ts';
import type { AbuseLog } from '../net/abuse-log.ts';
import { VisitorSession } from './http2/visitor-session.ts';
import type { LocalResponse } from '../codecs/http/local-response.ts';
import { pageAnswer } from '../pages/page-answer.ts';
import { writeLocalResponse } from '../codecs/http1/write-local-response.ts';
import type { ConnectionLimit } from '../net/connection-limit.ts';
import { EmptyWait } from '../net/empty-wait.ts';
import type { FloodingNetworks } from '../net/flooding-networks.ts';
import type { LongHeads } from '../net/long-heads.ts';
import { pageFor } from './routing/dispatch.ts';
import { VisitorConnection } from './http1/visitor-connection.ts';
import type { VisitorDeps } from './routing/visitor-deps.ts';
import type { VisitorOrigin } from './routing/visitor-origin.ts';

/** A connection in any protocol. */
type Visitor = {
  sweep(monotonicMs: number): void;
  drain(): void;
  destroy(): void;
};

export type VisitorConnectionsDeps = Omit<VisitorDeps, 'onClosed' | 'isDraining'> & {
  abuse: AbuseLog;
  longHeads: LongHeads;
  floods: FloodingNetworks;
  /** The limit of all visitors' connections. */
  visitorLimit: ConnectionLimit;
};

/** All visitors' connections that carry requests: enforces their timeouts, and ends them at a stop. */
export class VisitorConnections implements AsyncDisposable {
  readonly #deps: VisitorConnectionsDeps;
  readonly #connections = new Set<Visitor>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #emptyWait = new EmptyWait(() => this.#connections.size === 0);
  #isDraining = false;
  #isDisposed = false;
  #idleGrace: NodeJS.Timeout | undefined;

  constructor(deps: VisitorConnectionsDeps) {
    this.#deps = deps;
    this.#sweeper = setInterval(() => this.#sweep(), deps.limits.sweepIntervalMs);
  }

  accept(socket: Socket, scheme: 'http' | 'https', serverName?: string): void {
    // A handshake may end after the stop, or when its visitor has disconnected and has no address.
    if (this.#isDisposed || socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const address = canonicalAddress(socket.remoteAddress);
    const origin = { address, scheme, serverName, connection: connectionOrigin(connectionEnds(socket)) };
    // A proxy's connections carry many visitors, so no limit per address applies.
    const isProxy = this.#deps.proxies.has(address);
    const release = isProxy ? () => {} : this.#deps.visitorLimit.enter(address);
    if (release === undefined) {
      this.#turnAway(socket, origin);
      return;
    }
    const deps = {
      ...this.#deps,
      isDraining: () => this.#isDraining,
      onClosed: () => {
        release();
        this.#connections.delete(visitor);
        this.#emptyWait.onEnded();
      },
    };
    const visitor: Visitor = isHttp2(socket)
      ? new VisitorSession(socket, origin, {
          ...deps,
          onAbuse: (reason) => this.#deps.abuse.report('http2', { ip: address, reason }),
          admitsWork: (cost) => isProxy || this.#deps.floods.admits(address, cost),
          onHeadTooLong: () => this.#deps.longHeads.note(address),
        })
      : new VisitorConnection(socket, origin, deps);
    this.#connections.add(visitor);
  }

  /** For a browser that sends its request to an https port without TLS: the page opens the address by https. */
  leadToHttps(socket: Socket): void {
    const consoleUrl = this.#deps.consoleUrl();
    const page = pageAnswer('https-only', { request: undefined, visitorAddress: '', scheme: 'http', consoleUrl });
    this.#answerAndClose(socket, page);
  }

  /** Each answer from now on closes its connection; connections without a request end after some time. */
  drainIdle({ afterMs }: { afterMs: number }): void {
    this.#isDraining = true;
    clearTimeout(this.#idleGrace);
    if (afterMs === 0) for (const connection of this.#connections) connection.drain();
    else this.#idleGrace = setTimeout(() => this.drainIdle({ afterMs: 0 }), afterMs);
  }

  /** Lets open requests finish within a time limit; idle connections end at once, unless `drainIdle` gave them time. */
  async drain(timeoutMs: number): Promise<void> {
    if (!this.#isDraining) this.drainIdle({ afterMs: 0 });
    await this.#emptyWait.wait(timeoutMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    clearInterval(this.#sweeper);
    clearTimeout(this.#idleGrace);
    for (const connection of this.#connections) connection.destroy();
    return Promise.resolve();
  }

  #sweep(): void {
    const monotonicMs = this.#deps.monotonicMs();
    for (const connection of this.#connections) connection.sweep(monotonicMs);
  }

  #turnAway(socket: Socket, origin: VisitorOrigin): void {
    this.#deps.abuse.report('connections', { ip: origin.address, at: origin.scheme });
    if (isHttp2(socket)) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    this.#answerAndClose(socket, pageFor(this.#deps, origin, undefined, { kind: 'too-many-connections' }));
  }

  #answerAndClose(socket: Socket, page: LocalResponse): void {
    socket.on('error', () => {});
    socket.end(writeLocalResponse(page, { request: undefined, keepAlive: false, date: this.#deps.date }));
    socket.resume();
    const linger = setTimeout(() => socket.destroy(), this.#deps.limits.lingerMs).unref();
    // Otherwise it would keep the memory of a socket that no limit counts any more.
    socket.once('close', () => clearTimeout(linger));
  }
}

/** The protocol that was negotiated in the TLS handshake (ALPN, RFC 9113 §3.2). */
function isHttp2(socket: Socket): socket is TLSSocket {
  return socket instanceof TLSSocket && socket.alpnProtocol === 'h2';
}
