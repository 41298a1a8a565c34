import { performance } from 'node:perf_hooks';
import { WindowBudget } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import { AbuseLog } from './abuse-log.ts';
import { answerAtEdge } from './edge/answer-at-edge.ts';
import { Edge } from './edge/edge.ts';
import { Passthrough } from './edge/passthrough.ts';
import { strictTransport } from './edge/strict-transport.ts';
import { defaultWebRules } from './edge/web-rules.ts';
import { VISITOR_COOKIE } from './gate/visitor-cookie.ts';
import { createHopId } from './http1/hop.ts';
import { HttpDate } from './http1/http-date.ts';
import { ConnectionLimit } from './listeners/connection-limit.ts';
import { createHttpListener } from './listeners/http.ts';
import { listen, stopListening } from './listeners/listen.ts';
import { OpenSockets } from './listeners/open-sockets.ts';
import { createTlsListener } from './listeners/tls.ts';
import { createTunnelListener } from './listeners/tunnel.ts';
import { PublicPorts } from './ports/public-ports.ts';
import { defaultRelayLimits, type RelayConfig } from './relay-config.ts';
import { RouteTable } from './routes/route-table.ts';
import { ServerClient } from './server-client.ts';
import { Arrivals } from './tunnels/arrivals.ts';
import { DeviceSessions } from './tunnels/device-sessions.ts';
import { certificatePin } from './tunnels/login.ts';
import { UsageLedger } from './usage/usage-ledger.ts';
import { UsageReporter } from './usage/usage-reporter.ts';
import { ConsoleUpstream } from './visitors/console-upstream.ts';
import { routeRequest } from './visitors/route-request.ts';
import { VisitorConnections } from './visitors/visitor-connections.ts';

/** What all tunnels together may have in grown receive windows. */
const WINDOW_BUDGET_BYTES = 256 * 1024 * 1024;
const CONSOLE_MAX_IDLE = 64;
/** Last words to agents have this long to leave. */
const GOODBYE_MS = 1_000;
/** Visitors of a relay that hands over to others have this long to ask once more on a connection that is open. */
const IDLE_GRACE_MS = 5_000;

export type RunningRelay = AsyncDisposable & {
  httpPort: number;
  tlsPort: number;
  tunnelPort: number;
  /** How many devices are connected here. */
  readonly deviceCount: number;
  /** Resolves when the server has told the routes; rejects when the relay is stopped before. */
  whenReady: () => Promise<void>;
  /** Resolves when visitors are let in; rejects when their ports cannot be bound. */
  whenOpen: () => Promise<void>;
  /**
   * Stops for the sake of other relay processes that go on: like disposing, but visitors that stay connected are first
   * given some time to ask once more and be told to come back on another connection.
   */
  handOver: () => Promise<void>;
};

/**
 * Resolves when all three ports are bound, or the tunnel port alone where a warm-up is wanted; the routes follow as soon
 * as the server answers. Rejects with an error that names the port (and keeps `code`) when one cannot be bound.
 * Disposing of it lets open requests finish, for a while.
 */
export async function startRelay(config: RelayConfig, log: Logger): Promise<RunningRelay> {
  const limits = { ...defaultRelayLimits, ...config.limits };
  const now = () => performance.now();
  const nowMs = () => Date.now();
  const date = new HttpDate(nowMs);
  const abuse = new AbuseLog(log, now);
  const routes = new RouteTable(config.consoleUrl, log);
  const usage = new UsageLedger();
  const arrivals = new Arrivals(config.warmUp ?? { devices: 0, timeoutMs: 0 });
  const sessions = new DeviceSessions({
    routes,
    limits,
    usage,
    tunnels: config.tunnels,
    now,
    nowMs,
    onPresence: (event) => {
      arrivals.note(sessions.count);
      client.reportPresence(event);
    },
    log,
  });
  routes.listener = sessions;
  const client = new ServerClient({
    ...config.control,
    relayId: config.relayId,
    limits,
    routes,
    onlineEvents: () => sessions.onlineEvents,
    probe: async (deviceId, mappingId) =>
      publicPorts.problemOf(mappingId) ?? (await sessions.probe(deviceId, mappingId)),
    onEdge: (state) => edge.apply(state),
    onCertificates: (certificates) => edge.putCertificates(certificates),
    onCertificatesKept: (ids) => edge.keepCertificates(ids),
    onUsageStored: (sequence) => reporter.onStored(sequence),
    onGreeted: () => reporter.report(),
    now,
    log,
  });
  const reporter = new UsageReporter({
    ledger: usage,
    send: (report) => client.reportUsage(report),
    intervalMs: limits.usageReportMs,
  });
  const console = new ConsoleUpstream(
    config.upstream,
    {
      maxIdle: CONSOLE_MAX_IDLE,
      maxIdleMs: limits.poolIdleMs,
      maxStreams: limits.maxConsoleStreams,
      maxStreamsPerVisitor: limits.maxStreamsPerVisitor,
    },
    now,
  );
  const { isConsoleHost } = config;
  let { tlsPort } = config.listen;
  const web = { ...defaultWebRules, ...config.web };
  const edge = new Edge({
    selfSigned: config.tls.edge,
    files: config.tls.files ?? { pairs: [], folder: undefined },
    nowMs,
    log,
  });
  const edgeDeps = {
    routes,
    isConsoleHost,
    challengeAnswer: edge.challengeAnswer.bind(edge),
    redirectsToHttps: web.redirectsToHttps,
    tlsPort: () => web.publicTlsPort ?? tlsPort,
  };
  const routeDeps = {
    routes,
    isConsoleHost,
    console,
    findDevicePool: sessions.findPool.bind(sessions),
    offlineSinceMs: sessions.offlineSinceMs.bind(sessions),
    tickets: { gateKey: () => routes.gateKey, redeem: client.redeemTicket.bind(client), nowMs },
    marks: { visitorCookie: VISITOR_COOKIE, hopId: createHopId(), date },
    nowMs,
  };
  const visitorLimit = new ConnectionLimit({ perAddress: limits.maxConnectionsPerVisitorIp, total: Infinity });
  const visitors = new VisitorConnections({
    now,
    visitorLimit,
    abuse,
    limits,
    log,
    date,
    consoleUrl: () => routes.consoleUrl,
    route: (request, visitor) => answerAtEdge(edgeDeps, request, visitor) ?? routeRequest(routeDeps, request, visitor),
    strictTransport: (answer) => strictTransport({ rules: web, isConsoleHost }, answer),
  });
  const passthrough = new Passthrough({
    findDevicePool: routeDeps.findDevicePool,
    limits,
    visitorLimit,
    abuse,
    now,
    nowMs,
  });
  const publicPorts = new PublicPorts({
    routes: routes.portRoutes,
    host: config.listen.host,
    isShared: config.listen.isShared === true,
    findPool: sessions.findPool.bind(sessions),
    limits,
    visitorLimit,
    now,
    nowMs,
    abuse,
    log,
  });
  const handshake = {
    routes,
    sessions,
    enrol: client.enrol.bind(client),
    relayPin: certificatePin(config.tls.tunnel.cert),
    limits,
    windowBudget: new WindowBudget(WINDOW_BUDGET_BYTES),
    now,
    abuse,
    log,
  };
  const tls = createTlsListener({
    visitors,
    passthrough,
    certificates: edge.certificates,
    routes,
    isConsoleHost,
    visitorLimit,
    maxHandshakesPerIp: limits.maxHandshakesPerVisitorIp,
    abuse,
  });
  edge.onTicketKeys = tls.setTicketKeys;
  const servers = [
    createHttpListener(visitors),
    tls.server,
    createTunnelListener(config.tls.tunnel, handshake),
  ] as const;
  const sockets = new OpenSockets();
  for (const server of servers) sockets.watch(server);
  const visitorSockets = new OpenSockets();
  for (const server of servers.slice(0, 2)) visitorSockets.watch(server);

  let stopping: Promise<void> | undefined;
  async function close(drainMs: number, whenDrained?: Promise<void>): Promise<void> {
    arrivals.cancel();
    for (const server of servers) stopListening(server);
    sessions.goAway();
    const drained = [visitors, publicPorts, passthrough].map((connections) => connections.drain(drainMs));
    await Promise.all([...drained, whenDrained]);
    sessions.endAll();
    passthrough[Symbol.dispose]();
    edge[Symbol.dispose]();
    await Promise.all([visitors[Symbol.asyncDispose](), publicPorts[Symbol.asyncDispose]()]);
    console.close();
    await reporter.stop(limits.usageLastReportMs);
    await Promise.all([client[Symbol.asyncDispose](), sockets.end(GOODBYE_MS)]);
  }
  function stop(): Promise<void> {
    visitors.drainIdle({ afterMs: 0 });
    return (stopping ??= close(limits.drainMs));
  }
  function handOver(): Promise<void> {
    visitors.drainIdle({ afterMs: Math.min(IDLE_GRACE_MS, limits.drainMs) });
    // Also those in a handshake: nobody else would serve them.
    return (stopping ??= close(limits.drainMs, visitorSockets.whenEmpty(limits.drainMs)));
  }

  const { host, httpPort, tunnelPort } = config.listen;
  /** Other relay processes of this machine may listen for visitors as well, see docs/adr/0011. */
  async function letVisitorsIn(): Promise<{ httpPort: number; tlsPort: number }> {
    tlsPort = await listen(servers[1], 'https', { host, port: tlsPort });
    publicPorts.open();
    return { tlsPort, httpPort: await listen(servers[0], 'http', { host, port: httpPort }) };
  }
  async function letVisitorsInWarm(): Promise<void> {
    await client.whenReady();
    await arrivals.wait();
    if (stopping !== undefined) return;
    await letVisitorsIn();
    log.info({ devices: sessions.count }, 'visitors are let in');
  }
  try {
    await edge.start();
    const tunnel = await listen(servers[2], 'agents', { host, port: tunnelPort, exclusive: true });
    if (config.warmUp !== undefined) publicPorts.hold();
    const ports = config.warmUp === undefined ? await letVisitorsIn() : { httpPort, tlsPort };
    client.start();
    reporter.start();
    const open = config.warmUp === undefined ? Promise.resolve() : letVisitorsInWarm();
    open.catch(() => {}); // whoever wants to know asks
    return {
      ...ports,
      tunnelPort: tunnel,
      get deviceCount() {
        return sessions.count;
      },
      whenReady: () => client.whenReady(),
      whenOpen: () => open,
      handOver,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}
