import { MuxClosedError, type MuxStream, type MuxStreamEvents, type OpenKind } from '@tongtu/tunnel';
import type { Route } from '@tongtu/contract';
import { canRunOut, denialOf, type Grant } from '../gate/judge-access.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { DeviceShaping } from '../shaping/device-shaping.ts';
import type { CountingMeter } from '../usage/counting-meter.ts';
import { IdleStreams } from '../visitors/idle-streams.ts';
import {
  GrantEndedError,
  type ReuseRule,
  type UpstreamPool,
  type UpstreamStream,
} from '../visitors/upstream-stream.ts';
import { DeviceStream } from './device-stream.ts';
import type { VisitorShares } from '../visitors/visitor-shares.ts';

export type MappingPoolDeps = {
  openStream: (events: MuxStreamEvents) => MuxStream;
  shares: VisitorShares;
  shaping: DeviceShaping;
  limits: { maxIdle: number; maxIdleMs: number };
  now: () => number;
  /** Wall clock. */
  nowMs: () => number;
};

/** The streams of one mapping at one connected device, in use and idle. */
export class MappingPool implements UpstreamPool {
  readonly meter: CountingMeter;
  readonly #deps: MappingPoolDeps;
  readonly #idle: IdleStreams<DeviceStream>;
  readonly #open = new Set<DeviceStream>();
  #entry: RouteEntry;
  #isClosed = false;

  constructor(entry: RouteEntry, meter: CountingMeter, deps: MappingPoolDeps) {
    this.#entry = entry;
    this.meter = meter;
    this.#deps = deps;
    this.#idle = new IdleStreams(deps.limits, deps.now);
  }

  get route(): Route {
    return this.#entry.route;
  }

  take(reuse: ReuseRule, grant: Grant): UpstreamStream {
    if (this.#isClosed) throw new MuxClosedError('the mapping has changed');
    const { shares, nowMs } = this.#deps;
    // Who tries a second time was let in earlier.
    const denial = denialOf(this.#entry, grant, nowMs());
    if (denial !== undefined) throw new GrantEndedError(denial);
    const { address } = grant;
    shares.enter(address);
    try {
      const stream = this.#idle.take(reuse) ?? this.#openStream(address);
      stream.visitorAddress = address;
      stream.grant = grant;
      return stream;
    } catch (error) {
      shares.leave(address);
      throw error;
    }
  }

  /** Takes over what the server tells now of the same mapping; only visitors that it turns away are cut. */
  update(entry: RouteEntry): void {
    this.#entry = entry;
    this.#judge();
  }

  /** Cuts visitors whose time is up. */
  expireGrants(): void {
    if (this.#open.size > 0 && canRunOut(this.route)) this.#judge();
  }

  expireIdle(): void {
    this.#idle.expire();
  }

  dropIdle(): void {
    this.#idle.clear();
  }

  /** Cuts everything that runs over it. */
  close(): void {
    this.#isClosed = true;
    this.#idle.clear();
    for (const stream of [...this.#open]) stream.cut();
  }

  #openStream(visitorAddress: string): DeviceStream {
    const { route } = this;
    const request = {
      kind: openKindOf(route),
      mappingId: route.mappingId,
      host: route.targetHost,
      port: route.targetPort,
      visitorAddress,
    };
    const stream = new DeviceStream(this.#deps.openStream, request, {
      meter: this.meter,
      shaping: this.#deps.shaping,
      release: (released) => {
        this.#free(released);
        if (this.#isClosed) released.reset();
        else this.#idle.put(released);
      },
      gone: (gone) => {
        this.#free(gone);
        this.#open.delete(gone);
      },
    });
    this.#open.add(stream);
    return stream;
  }

  #judge(): void {
    const nowMs = this.#deps.nowMs();
    for (const stream of [...this.#open]) {
      if (stream.grant !== undefined && denialOf(this.#entry, stream.grant, nowMs) !== undefined) stream.cut();
    }
  }

  #free(stream: DeviceStream): void {
    stream.grant = undefined;
    if (stream.visitorAddress === undefined) return;
    this.#deps.shares.leave(stream.visitorAddress);
    stream.visitorAddress = undefined;
  }
}

function openKindOf({ kind, verifyTls, tlsPassthrough }: Route): OpenKind {
  if (kind === 'udp') return 'udp';
  if (kind === 'tcp' || kind === 'http' || tlsPassthrough) return 'tcp';
  return verifyTls ? 'tls-verified' : 'tls';
}

/** Whether both lead to the same place in the same way, so that open connections may go on. */
export function isSameRoute(a: Route, b: Route): boolean {
  return (
    a.host === b.host &&
    a.kind === b.kind &&
    a.port === b.port &&
    a.hostHeader === b.hostHeader &&
    a.verifyTls === b.verifyTls &&
    a.tlsPassthrough === b.tlsPassthrough &&
    a.proxyProtocol === b.proxyProtocol &&
    a.targetHost === b.targetHost &&
    a.targetPort === b.targetPort
  );
}
