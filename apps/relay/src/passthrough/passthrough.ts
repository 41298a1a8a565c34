import type { Socket } from 'node:net';
import { canonicalAddress } from '@tongtu/base';
import { type Grant, judgeAccess } from '../access/judge-access.ts';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { ClientMarker } from '../access/client-marker.ts';
import type { ConnectionLimit } from '../net/connection-limit.ts';
import { EmptyWait } from '../net/empty-wait.ts';
import { type ConnectionEnds, connectionEnds, connectionOrigin } from '../net/connection-ends.ts';
import { encodeProxyV2 } from '../net/proxy-header.ts';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import { GrantEndedError, type UpstreamPool, type UpstreamStream } from '../upstream/upstream-stream.ts';
import type { OpenVisit } from '../visit-log/open-visit.ts';
import type { VisitLog } from '../visit-log/visit-log.ts';
import { RawConnection } from './raw-connection.ts';
import { refuseWithAlert } from '../tls/refuse-with-alert.ts';

export type PassthroughDeps = {
  findDevicePool: (entry: RouteEntry) => UpstreamPool | undefined;
  findRoute: (host: string) => RouteEntry | undefined;
  marker: ClientMarker;
  visitLog: VisitLog;
  limits: RelayLimits;
  /** The limit of all visitors' connections. */
  visitorLimit: ConnectionLimit;
  abuse: AbuseLog;
  monotonicMs: () => number;
  wallClockMs: () => number;
};

type Opening = {
  pool: UpstreamPool;
  /** See StreamWay. */
  targetKey: string | undefined;
  grant: Grant;
  ends: ConnectionEnds;
  header: Buffer | undefined;
  visit: OpenVisit | undefined;
};

/** Visitors of TLS passthrough: their bytes are forwarded unchanged, from the ClientHello on. */
export class Passthrough {
  readonly #deps: PassthroughDeps;
  readonly #connections = new Set<RawConnection>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #emptyWait = new EmptyWait(() => this.#connections.size === 0);

  constructor(deps: PassthroughDeps) {
    this.#deps = deps;
    this.#sweeper = setInterval(() => this.#sweep(), deps.limits.sweepIntervalMs);
  }

  /** Takes a connection whose ClientHello asks for that route and was put back into the socket. */
  accept(socket: Socket, entry: RouteEntry): void {
    const ends = connectionEnds(socket);
    if (ends === undefined) return void socket.destroy();
    const address = canonicalAddress(ends.source.address);
    const release = this.#deps.visitorLimit.enter(address);
    if (release === undefined) {
      this.#deps.abuse.report('connections', { ip: address, at: 'passthrough' });
      return refuseWithAlert(socket, 'internal_error');
    }
    socket.once('close', release);
    this.#join(socket, entry, { address, ends });
  }

  #join(socket: Socket, entry: RouteEntry, visitor: { address: string; ends: ConnectionEnds; wasHeld?: true }): void {
    const { address, ends, wasHeld } = visitor;
    // A passthrough visitor has no cookies: only its address can be verified.
    const judgement = judgeAccess(entry, { address, proof: () => undefined }, this.#deps.wallClockMs());
    if (!judgement.ok) {
      const isUnknown = judgement.denial === 'needs-verification' && wasHeld !== true;
      const isMarked = isUnknown ? this.#deps.marker.ask(entry.route, { address, userAgent: '' }) : undefined;
      if (isMarked === undefined) {
        this.#deps.visitLog.begin(entry, { address }, 'TLS')?.end({ outcome: 'denied', reason: judgement.denial });
        return refuseWithAlert(socket, 'access_denied');
      }
      return void isMarked.then(() => {
        // The current route decides.
        const current = this.#deps.findRoute(entry.route.host);
        if (socket.destroyed) return;
        if (current?.route.tlsPassthrough === true) this.#join(socket, current, { ...visitor, wasHeld: true });
        else refuseWithAlert(socket, 'access_denied');
      });
    }
    const visit = this.#deps.visitLog.begin(entry, judgement.grant, 'TLS');
    const pool = this.#deps.findDevicePool(entry);
    if (pool === undefined) {
      visit?.end({ outcome: 'failed', reason: 'device-offline' });
      return refuseWithAlert(socket, 'internal_error');
    }
    const targetKey = pool.httpRules?.targets.find(({ isForHttps }) => isForHttps)?.key;
    if (pool.httpRules !== undefined && targetKey === undefined) {
      visit?.end({ outcome: 'failed', reason: 'target-refused' });
      return refuseWithAlert(socket, 'unrecognized_name');
    }
    const header = entry.route.proxyProtocol ? encodeProxyV2(ends) : undefined;
    this.#open(socket, { pool, targetKey, grant: judgement.grant, ends, header, visit });
  }

  /** Lets open connections end by themselves, within a time limit. */
  async drain(timeoutMs: number): Promise<void> {
    await this.#emptyWait.wait(timeoutMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
    for (const connection of this.#connections) connection.destroy();
  }

  #open(socket: Socket, { pool, targetKey, grant, ends, header, visit }: Opening): void {
    let stream: UpstreamStream;
    try {
      stream = pool.take('never', grant, { targetKey, origin: connectionOrigin(ends) });
    } catch (error) {
      // Only the pool throws here: the grant or the tunnel has just ended, or a limit of streams is reached.
      pool.meter.failed();
      visit?.end({ outcome: 'failed', reason: error instanceof GrantEndedError ? 'revoked' : 'device-busy' });
      return refuseWithAlert(socket, error instanceof GrantEndedError ? 'access_denied' : 'internal_error');
    }
    if (header !== undefined) stream.write(header);
    const hello = (socket.read() ?? Buffer.alloc(0)) as Buffer; // the ClientHello; no encoding was set
    stream.write(hello);
    if (visit !== undefined) visit.bytesIn += hello.length;
    const connection = new RawConnection(socket, stream, {
      meter: pool.meter,
      visit,
      monotonicMs: this.#deps.monotonicMs,
      onUnanswered: () => refuseWithAlert(socket, 'internal_error'),
      onClosed: (closed) => {
        this.#connections.delete(closed);
        this.#emptyWait.onEnded();
      },
    });
    this.#connections.add(connection);
  }

  #sweep(): void {
    const { limits } = this.#deps;
    const monotonicMs = this.#deps.monotonicMs();
    for (const connection of this.#connections) {
      connection.sweep(monotonicMs, limits);
    }
  }
}
