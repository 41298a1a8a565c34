import { MuxClosedError, type MuxStream, type MuxStreamEvents, type OpenKind } from '@tongtu/tunnel';
import type { Route } from '@tongtu/contract';
import { IdleStreams } from '../visitors/idle-streams.ts';
import type { ReuseRule, UpstreamPool, UpstreamStream } from '../visitors/upstream-stream.ts';
import { DeviceStream } from './device-stream.ts';
import type { VisitorShares } from './visitor-shares.ts';

export type MappingPoolDeps = {
  openStream: (events: MuxStreamEvents) => MuxStream;
  shares: VisitorShares;
  limits: { maxIdle: number; maxIdleMs: number };
  now: () => number;
};

/** The streams of one mapping at one connected device, in use and idle. */
export class MappingPool implements UpstreamPool {
  readonly route: Route;
  readonly #deps: MappingPoolDeps;
  readonly #idle: IdleStreams<DeviceStream>;
  readonly #open = new Set<DeviceStream>();
  #isClosed = false;

  constructor(route: Route, deps: MappingPoolDeps) {
    this.route = route;
    this.#deps = deps;
    this.#idle = new IdleStreams(deps.limits, deps.now);
  }

  take(reuse: ReuseRule, visitorAddress: string): UpstreamStream {
    if (this.#isClosed) throw new MuxClosedError('the mapping has changed');
    const { shares } = this.#deps;
    shares.enter(visitorAddress);
    try {
      const stream = this.#idle.take(reuse) ?? this.#openStream(visitorAddress);
      stream.visitorAddress = visitorAddress;
      return stream;
    } catch (error) {
      shares.leave(visitorAddress);
      throw error;
    }
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

  #free(stream: DeviceStream): void {
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

/** Whether open connections may outlive a change from one to the other. */
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
    a.targetPort === b.targetPort &&
    a.policy === b.policy &&
    a.enabled === b.enabled
  );
}
