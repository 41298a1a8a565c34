import type { Route } from '@tongtu/contract';
import type { ConnectionOrigin } from '@tongtu/tunnel';
import { judgeAccess } from '../access/judge-access.ts';
import type { MappingMeter } from '../usage/mapping-meter.ts';
import type { OpenVisit, RawProtocol } from '../visit-log/open-visit.ts';
import { type UpstreamStream, VisitorBusyError } from '../upstream/upstream-stream.ts';
import type { OpenPortDeps } from './open-port.ts';

export type Visit = {
  route: Route;
  meter: MappingMeter;
  stream: UpstreamStream;
  /** For a mapping with a visitor log. */
  record: OpenVisit | undefined;
};

type Opening = {
  origin?: ConnectionOrigin | undefined;
  /** Called for a visitor that may come in. False: there is no room for it. */
  makeRoom?: () => boolean;
  /** Called when the visitor has too many streams to the device; true: it has fewer now. */
  onBusy?: () => boolean;
};

/** Decides from memory whether a visitor without cookies may come in, and opens its stream. Undefined: refuse it. */
export function openVisit(
  deps: Pick<OpenPortDeps, 'findEntry' | 'findPool' | 'visitLog' | 'wallClockMs'>,
  address: string,
  protocol: RawProtocol,
  { origin, makeRoom = () => true, onBusy = () => false }: Opening = {},
): Visit | undefined {
  const entry = deps.findEntry();
  if (entry === undefined) return undefined;
  const judgement = judgeAccess(entry, { address, proof: () => undefined }, deps.wallClockMs());
  if (!judgement.ok || !makeRoom()) return undefined;
  const record = deps.visitLog.begin(entry, judgement.grant, protocol);
  const pool = deps.findPool(entry);
  if (pool === undefined) {
    record?.end({ outcome: 'failed', reason: 'device-offline' });
    return undefined;
  }
  try {
    const stream = takeStream(() => pool.take('never', judgement.grant, { origin }), onBusy);
    return { route: entry.route, meter: pool.meter, stream, record };
  } catch {
    // Too many are open, or the tunnel is closing: it is only counted, because the visitor cannot be informed.
    pool.meter.begin(judgement.grant);
    pool.meter.failed();
    record?.end({ outcome: 'failed', reason: 'device-busy' });
    return undefined;
  }
}

function takeStream(take: () => UpstreamStream, onBusy: () => boolean): UpstreamStream {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof VisitorBusyError) || !onBusy()) throw error;
    return take();
  }
}

/** Resolves with whether a refused visitor is the client to be marked; undefined: refuse it at once. */
export function askToMark(
  { findEntry, marker, wallClockMs }: Pick<OpenPortDeps, 'findEntry' | 'marker' | 'wallClockMs'>,
  address: string,
): Promise<boolean> | undefined {
  const entry = findEntry();
  if (entry === undefined) return undefined;
  const judgement = judgeAccess(entry, { address, proof: () => undefined }, wallClockMs());
  if (judgement.ok || judgement.denial !== 'needs-verification') return undefined;
  return marker.ask(entry.route, { address, userAgent: '' });
}

/** Records that a visitor is refused, unless it may come in by now. */
export function recordDenial(
  { findEntry, visitLog, wallClockMs }: Pick<OpenPortDeps, 'findEntry' | 'visitLog' | 'wallClockMs'>,
  address: string,
  protocol: RawProtocol,
): void {
  const entry = findEntry();
  if (entry === undefined || entry.route.visitLogDays === 0) return;
  const judgement = judgeAccess(entry, { address, proof: () => undefined }, wallClockMs());
  if (!judgement.ok) visitLog.begin(entry, { address }, protocol)?.end({ outcome: 'denied', reason: judgement.denial });
}
