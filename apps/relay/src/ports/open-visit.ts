import type { Route } from '@tongtu/contract';
import { judgeAccess } from '../access/judge-access.ts';
import type { MappingMeter } from '../usage/mapping-meter.ts';
import type { UpstreamStream } from '../upstream/upstream-stream.ts';
import type { OpenPortDeps } from './open-port.ts';

export type Visit = { route: Route; meter: MappingMeter; stream: UpstreamStream };

/** Decides from memory whether a visitor without cookies may come in, and opens its stream. Undefined: refuse it. */
export function openVisit(
  deps: Pick<OpenPortDeps, 'findEntry' | 'findPool' | 'wallClockMs'>,
  address: string,
): Visit | undefined {
  const entry = deps.findEntry();
  if (entry === undefined) return undefined;
  const judgement = judgeAccess(entry, { address, proof: () => undefined }, deps.wallClockMs());
  const pool = judgement.ok ? deps.findPool(entry) : undefined;
  if (!judgement.ok || pool === undefined) return undefined;
  try {
    return { route: entry.route, meter: pool.meter, stream: pool.take('never', judgement.grant) };
  } catch {
    // Too many are open, or the tunnel is closing: it is only counted, because the visitor cannot be informed.
    pool.meter.begin(judgement.grant);
    pool.meter.failed();
    return undefined;
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
