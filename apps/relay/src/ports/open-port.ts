import type { AbuseLog } from '../net/abuse-log.ts';
import type { ClientMarker } from '../access/client-marker.ts';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { VisitLog } from '../visit-log/visit-log.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { UpstreamPool } from '../upstream/upstream-stream.ts';

/** A public port that is bound, with everything that goes over it. */
export type OpenPort = {
  /** The connections that a stop waits for: TCP only. A UDP conversation has no end. */
  readonly connectionCount: number;
  /** Whether conversations had to end lately, because there were too many. */
  readonly wasFull?: boolean;
  /** Takes no more visitors. Open connections go on. */
  stop(): void;
  /** Stops and cuts everything. */
  close(): void;
  /** Ends what has been idle for too long. */
  sweep(monotonicMs: number): void;
};

export type OpenPortDeps = {
  /** The route that has the port now. */
  findEntry: () => RouteEntry | undefined;
  /** The pool of a connected device. */
  findPool: (entry: RouteEntry) => UpstreamPool | undefined;
  marker: ClientMarker;
  visitLog: VisitLog;
  limits: RelayLimits;
  monotonicMs: () => number;
  wallClockMs: () => number;
  abuse: AbuseLog;
  onConnectionClosed: () => void;
};
