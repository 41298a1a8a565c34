import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { AbuseLog } from './net/abuse-log.ts';
import { Edge } from './tls/edge.ts';
import { type RelayConfig } from './config/relay-config.ts';
import { defaultRelayLimits, type RelayLimits } from './config/relay-limits.ts';
import { ListenerOptions } from './tcp/listener-options.ts';
import { RouteTable } from './routes/route-table.ts';
import { VisitLog } from './visit-log/visit-log.ts';

/** What the device side and the visitor side share. */
export type RelayCore = {
  config: RelayConfig;
  limits: RelayLimits;
  monotonicMs: () => number;
  wallClockMs: () => number;
  abuse: AbuseLog;
  log: Logger;
  routes: RouteTable;
  edge: Edge;
  visitLog: VisitLog;
  listenerOptions: ListenerOptions;
};

export function createRelayCore(config: RelayConfig, log: Logger): RelayCore {
  const monotonicMs = () => performance.now();
  const wallClockMs = () => Date.now();
  const edge = new Edge({
    selfSigned: config.tls.edge,
    files: config.tls.files ?? { pairs: [], folder: undefined },
    wallClockMs,
    log,
  });
  return {
    config,
    limits: { ...defaultRelayLimits, ...config.limits },
    monotonicMs,
    wallClockMs,
    abuse: new AbuseLog(log, monotonicMs),
    log,
    routes: new RouteTable(config.consoleUrl, log),
    edge,
    visitLog: new VisitLog({ monotonicMs, wallClockMs }),
    listenerOptions: new ListenerOptions(config.congestionControl ?? { wanted: 'system', isReported: false }, log),
  };
}
