import { type AgentFeature, type HttpRules, MuxClosedError, type OpenKind } from '@tongtu/tunnel';
import { canRunOut, denialOf, type OptionName, optionNames, type Route } from '@tongtu/contract';
import type { Grant } from '../access/judge-access.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { DeviceShaping } from '../shaping/device-shaping.ts';
import { type MappingMeter, noBytes } from '../usage/mapping-meter.ts';
import { Http2Upstream } from './http2-upstream.ts';
import { IdleStreams } from './idle-streams.ts';
import {
  AgentOutdatedError,
  GrantEndedError,
  isSameWay,
  type ReuseRule,
  type StreamWay,
  type UpstreamPool,
  type UpstreamStream,
  type Waiting,
} from './upstream-stream.ts';
import { DeviceStream, type DeviceStreamOwner } from './device-stream.ts';
import type { OpenTarget } from './target-stream.ts';
import { QueuedStream } from './queued-stream.ts';
import type { VisitorShares } from './visitor-shares.ts';

export type MappingPoolDeps = {
  /** What the device's program can do. */
  features: ReadonlySet<string>;
  openTarget: OpenTarget;
  httpRulesOf: (mappingId: number) => HttpRules | undefined;
  shares: VisitorShares;
  shaping: DeviceShaping;
  /** The device is not reached at present, and may come back. */
  isAway: () => boolean;
  limits: { maxIdle: number; maxIdleMs: number };
  monotonicMs: () => number;
  wallClockMs: () => number;
};

/** The streams of one mapping at one connected device, in use and idle. */
export class MappingPool implements UpstreamPool {
  readonly meter: MappingMeter;
  readonly #deps: MappingPoolDeps;
  readonly #idle: IdleStreams<DeviceStream>;
  readonly #open = new Set<DeviceStream>();
  readonly #queued = new Set<QueuedStream>();
  #entry: RouteEntry;
  #isClosed = false;
  #targetsAge = 0;

  constructor(entry: RouteEntry, meter: MappingMeter, deps: MappingPoolDeps) {
    this.#entry = entry;
    this.meter = meter;
    this.#deps = deps;
    this.#idle = new IdleStreams(deps.limits, deps.monotonicMs);
  }

  get route(): Route {
    return this.#entry.route;
  }

  get httpRules(): HttpRules | undefined {
    return this.#deps.httpRulesOf(this.route.mappingId);
  }

  take(reuse: ReuseRule, grant: Grant, way: StreamWay = {}, waiting?: Waiting): UpstreamStream {
    this.#check(grant);
    const { shares } = this.#deps;
    const { address } = grant;
    if (waiting === undefined || !shares.isFull(address)) {
      shares.enter(address);
      return this.#takeInPlace(reuse, grant, way);
    }
    const open = () => this.#takeInPlace(reuse, grant, way);
    const onLeft = (left: QueuedStream) => this.#queued.delete(left);
    const queued = new QueuedStream({ shares, address, waiting, open, onLeft });
    this.#queued.add(queued);
    return queued;
  }

  /** The visitor's share counts it already. */
  #takeInPlace(reuse: ReuseRule, grant: Grant, way: StreamWay): UpstreamStream {
    const { address } = grant;
    let stream: DeviceStream;
    try {
      this.#check(grant);
      const isFit = (idle: DeviceStream) => isSameWay(idle.way, way) && idle.isPlacedWell;
      const idle = way.isHttp2 === true ? undefined : this.#idle.take(reuse, isFit);
      stream = idle ?? this.#openStream(address, way);
    } catch (error) {
      this.#deps.shares.leave(address);
      throw error;
    }
    // From here on the place becomes free with the stream.
    stream.visitorAddress = address;
    stream.grant = grant;
    if (way.isHttp2 !== true) return stream;
    try {
      return new Http2Upstream(stream, this.route.kind);
    } catch (error) {
      stream.reset();
      throw error;
    }
  }

  /** A second attempt, and one that has waited, were admitted earlier. */
  #check(grant: Grant): void {
    if (this.#isClosed) throw new MuxClosedError('the mapping has changed');
    const denial = denialOf(this.#entry, grant, this.#deps.wallClockMs());
    if (denial !== undefined) throw new GrantEndedError(denial);
  }

  /** Applies the changed route of the same mapping. Cuts only visitors that it refuses. */
  update(entry: RouteEntry): void {
    this.#entry = entry;
    this.#judge();
  }

  /** Cuts visitors whose grant has expired. */
  expireGrants(): void {
    if (this.#open.size + this.#queued.size > 0 && canRunOut(this.#entry)) this.#judge();
  }

  expireIdle(): void {
    this.#idle.expire();
  }

  dropIdle(): void {
    this.#idle.clear();
  }

  /** The mapping has other targets: streams that are in use go on, and serve no other visitor after that. */
  leaveTargets(): void {
    this.#targetsAge++;
    this.#idle.clear();
  }

  /** Cuts all its streams. `revoked`: because of a change, and not because the device is disconnected. */
  close(failure: 'lost' | 'revoked'): void {
    this.#isClosed = true;
    this.#idle.clear();
    // Those that wait first: they would get the places of the others.
    for (const stream of [...this.#queued, ...this.#open]) stream.cut(failure);
  }

  #openStream(visitorAddress: string, way: StreamWay): DeviceStream {
    const { targetKey, tlsName, origin, isHttp2 = false } = way;
    const { route } = this;
    const kind = isHttp2 ? http2KindOf(openKindOf(route)) : openKindOf(route);
    const feature = neededFeatures[kind];
    if (feature !== undefined && !this.#deps.features.has(feature)) throw new AgentOutdatedError(feature);
    const request = {
      kind,
      mappingId: route.mappingId,
      host: targetKey ?? route.targetHost,
      port: route.targetPort,
      visitorAddress,
      ...(this.#deps.features.has('connection-origin') && { origin }),
      // Without the name an older agent connects as it always did.
      ...(this.#deps.features.has('tls-name') && { tlsName }),
    };
    const targetsAge = this.#targetsAge;
    const owner: DeviceStreamOwner = {
      meter: kind === 'udp' ? noBytes : this.meter,
      shaping: this.#deps.shaping,
      marksAnswers: this.#deps.features.has('marks-answers'),
      isAway: this.#deps.isAway,
      release: (released) => {
        if (this.#isClosed || targetsAge !== this.#targetsAge) return released.reset();
        // First, so that the visitor's next request in the queue gets it.
        this.#idle.put(released);
        this.#free(released);
      },
      closed: (closed) => {
        this.#free(closed);
        this.#open.delete(closed);
      },
    };
    const stream = new DeviceStream(this.#deps.openTarget, request, owner, way);
    this.#open.add(stream);
    return stream;
  }

  #judge(): void {
    const wallClockMs = this.#deps.wallClockMs();
    for (const stream of [...this.#queued, ...this.#open]) {
      if (stream.grant !== undefined && denialOf(this.#entry, stream.grant, wallClockMs) !== undefined)
        stream.cut('revoked');
    }
  }

  #free(stream: DeviceStream): void {
    const { visitorAddress } = stream;
    stream.grant = undefined;
    stream.visitorAddress = undefined;
    if (visitorAddress !== undefined) this.#deps.shares.leave(visitorAddress);
  }
}

const neededFeatures: Record<OpenKind, AgentFeature | undefined> = {
  tcp: undefined,
  tls: undefined,
  udp: 'udp',
  'tls-verified': 'tls-verified',
  'tls-h2': 'tls-h2',
  'tls-h2-verified': 'tls-h2',
};

function openKindOf({ kind, verifyTls, tlsPassthrough }: Route): OpenKind {
  if (kind === 'udp') return 'udp';
  if (kind === 'tcp' || kind === 'http' || tlsPassthrough) return 'tcp';
  return verifyTls ? 'tls-verified' : 'tls';
}

function http2KindOf(kind: OpenKind): OpenKind {
  if (kind === 'tls') return 'tls-h2';
  return kind === 'tls-verified' ? 'tls-h2-verified' : kind;
}

/** They lead nowhere else, and count for later requests. */
const leadNowhere: readonly OptionName[] = ['visitLogDays', 'answerTimeoutS', 'silenceTimeoutS'];

/** Whether both lead to the same target with the same options, so that open connections may go on. */
export function isSameRoute(a: Route, b: Route): boolean {
  return (
    a.host === b.host &&
    a.kind === b.kind &&
    a.port === b.port &&
    a.targetHost === b.targetHost &&
    a.targetPort === b.targetPort &&
    optionNames.every((name) => leadNowhere.includes(name) || a[name] === b[name])
  );
}
