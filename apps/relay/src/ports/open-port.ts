import type { Route } from '@tongtu/contract';
import type { AbuseLog } from '../abuse-log.ts';
import { judgeAccess } from '../gate/judge-access.ts';
import type { RelayLimits } from '../relay-config.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { MappingMeter } from '../usage/mapping-meter.ts';
import type { UpstreamPool, UpstreamStream } from '../visitors/upstream-stream.ts';

/** A public port that is bound, with everything that goes over it. */
export type OpenPort = {
  /** What a stop waits for: TCP connections. A UDP conversation has no end to wait for. */
  readonly connectionCount: number;
  /** Takes no more visitors. Open connections go on. */
  stop(): void;
  /** Stops and cuts everything. */
  close(): void;
  /** Ends what has been idle for too long. */
  sweep(nowMs: number): void;
};

export type OpenPortDeps = {
  /** The route that has the port now. */
  findEntry: () => RouteEntry | undefined;
  /** The way to a device, while it is connected. */
  findPool: (entry: RouteEntry) => UpstreamPool | undefined;
  limits: RelayLimits;
  /** Monotonic. */
  now: () => number;
  /** Wall clock. */
  nowMs: () => number;
  abuse: AbuseLog;
  onConnectionClosed: () => void;
};

export type Visit = { route: Route; meter: MappingMeter; stream: UpstreamStream };

/** Decides from memory whether a visitor without cookies may come in, and opens its stream. Undefined: turn it away. */
export function openVisit(deps: OpenPortDeps, address: string): Visit | undefined {
  const entry = deps.findEntry();
  if (entry === undefined) return undefined;
  const judgement = judgeAccess(entry, { address, proof: () => undefined }, deps.nowMs());
  const pool = judgement.ok ? deps.findPool(entry) : undefined;
  if (!judgement.ok || pool === undefined) return undefined;
  try {
    return { route: entry.route, meter: pool.meter, stream: pool.take('never', judgement.grant) };
  } catch {
    // Too many are open, or the tunnel is just going: there is nobody to tell but the counters.
    pool.meter.begin();
    pool.meter.failed();
    return undefined;
  }
}
