import type { Server } from 'node:net';
import type { HttpTarget } from '@tongtu/tunnel';
import type { DeviceSide } from './device-side.ts';
import { answerAtEdge } from './visitors/routing/answer-at-edge.ts';
import { Passthrough } from './passthrough/passthrough.ts';
import { strictTransport } from './visitors/routing/strict-transport.ts';
import { defaultWebRules } from './config/web-rules.ts';
import { ClientMarker } from './access/client-marker.ts';
import { PreflightLimit } from './access/preflight-limit.ts';
import { TryLimit, WRONG_TRIES_PER_MINUTE } from './access/try-limit.ts';
import { visitorCookieNames } from './access/visitor-cookie.ts';
import { createHopId } from './codecs/http/hop.ts';
import { HttpDate } from './codecs/http/http-date.ts';
import { ConnectionLimit } from './net/connection-limit.ts';
import { createHttpListener } from './listeners/http.ts';
import { FloodingNetworks } from './net/flooding-networks.ts';
import { LongHeads } from './net/long-heads.ts';
import { createTlsListener } from './listeners/tls.ts';
import { PublicPorts } from './ports/public-ports.ts';
import type { RelayCore } from './relay-core.ts';
import { ConsoleUpstream } from './upstream/console-upstream.ts';
import { routeRequest } from './visitors/routing/route-request.ts';
import { TrustedProxies } from './visitors/routing/trusted-proxies.ts';
import { TrialVisits } from './trials/trial-visits.ts';
import { VisitorConnections } from './visitors/visitor-connections.ts';

const CONSOLE_MAX_IDLE = 64;

/** The visitor side of a relay: its listeners and what they share. */
export type VisitorSide = {
  visitors: VisitorConnections;
  passthrough: Passthrough;
  publicPorts: PublicPorts;
  trials: TrialVisits;
  /** The server, and the gateway if there is one. */
  upstreams: ConsoleUpstream[];
  /** Not yet listening. */
  httpServer: Server;
  tlsServer: Server;
};

export type VisitorSideDeps = Pick<DeviceSide, 'sessions' | 'client' | 'frpc' | 'attempts'> & {
  /** The ports that `httpServer` and `tlsServer` have. */
  httpPort: () => number;
  tlsPort: () => number;
};

export function createVisitorSide(core: RelayCore, deps: VisitorSideDeps): VisitorSide {
  const { config, limits, monotonicMs, wallClockMs, abuse, log, routes, edge, visitLog } = core;
  const visitorLimit = new ConnectionLimit({ perAddress: limits.maxConnectionsPerVisitorIp, total: Infinity });
  const findPool = deps.sessions.findPool.bind(deps.sessions);
  const consoleUpstream = createConsoleUpstream(core, config.upstream);
  const gatewayUpstream = config.gateway === undefined ? undefined : createConsoleUpstream(core, config.gateway);
  const marker = new ClientMarker({ mark: deps.client.markClient.bind(deps.client), wallClockMs });
  const longHeads = new LongHeads(monotonicMs);
  const floods = new FloodingNetworks(monotonicMs);
  const proxies = new TrustedProxies(config.trustedProxies ?? []);
  const { visitors, trials } = createVisitors(core, {
    ...deps,
    consoleUpstream,
    gatewayUpstream,
    visitorLimit,
    longHeads,
    floods,
    proxies,
    marker,
  });
  const passthrough = new Passthrough({
    findDevicePool: findPool,
    findRoute: routes.findRoute.bind(routes),
    marker,
    visitLog,
    limits,
    visitorLimit,
    abuse,
    monotonicMs,
    wallClockMs,
  });
  const publicPorts = new PublicPorts({
    routes: routes.portRoutes,
    host: config.listen.host,
    isConsoleHost: config.isConsoleHost,
    isShared: config.listen.isShared === true,
    prepare: (server) => core.listenerOptions.apply(server),
    findPool,
    marker,
    visitLog,
    limits,
    visitorLimit,
    monotonicMs,
    wallClockMs,
    abuse,
    log,
  });
  const tls = createTlsListener({
    visitors,
    passthrough,
    certificates: edge.certificates,
    routes,
    isConsoleHost: config.isConsoleHost,
    isProxy: proxies.has.bind(proxies),
    visitorLimit,
    longHeads,
    floods,
    maxHandshakesPerIp: limits.maxHandshakesPerVisitorIp,
    floodHoldMs: limits.floodHoldMs,
    takeFrpc: deps.frpc.take,
    abuse,
    attempts: deps.attempts,
  });
  edge.onTicketKeys = tls.setTicketKeys;
  deps.frpc.onConnection = tls.accept;
  const httpServer = createHttpListener(visitors);
  const upstreams = gatewayUpstream === undefined ? [consoleUpstream] : [consoleUpstream, gatewayUpstream];
  return { visitors, passthrough, publicPorts, trials, upstreams, httpServer, tlsServer: tls.server };
}

function createConsoleUpstream(
  { limits, monotonicMs }: RelayCore,
  { host, port }: { host: string; port: number },
): ConsoleUpstream {
  const consoleLimits = {
    maxIdle: CONSOLE_MAX_IDLE,
    maxIdleMs: limits.poolIdleMs,
    maxStreams: limits.maxConsoleStreams,
    maxStreamsPerVisitor: limits.maxStreamsPerVisitor,
    maxWaitingPerVisitor: limits.maxWaitingPerVisitor,
  };
  return new ConsoleUpstream({ host, port }, consoleLimits, monotonicMs);
}

type VisitorsDeps = VisitorSideDeps & {
  consoleUpstream: ConsoleUpstream;
  gatewayUpstream: ConsoleUpstream | undefined;
  visitorLimit: ConnectionLimit;
  longHeads: LongHeads;
  floods: FloodingNetworks;
  proxies: TrustedProxies;
  marker: ClientMarker;
};

function createVisitors(
  { config, limits, monotonicMs, wallClockMs, abuse, log, routes, edge, visitLog }: RelayCore,
  {
    sessions,
    client,
    httpPort,
    tlsPort,
    consoleUpstream,
    gatewayUpstream,
    visitorLimit,
    longHeads,
    floods,
    proxies,
    marker,
  }: VisitorsDeps,
): Pick<VisitorSide, 'visitors' | 'trials'> {
  const { isConsoleHost } = config;
  const date = new HttpDate(wallClockMs);
  const turns = new WeakMap<HttpTarget, number>();
  const web = { ...defaultWebRules, ...config.web };
  const publicTlsPort = () => web.publicTlsPort ?? tlsPort();
  const findDevicePool = sessions.findPool.bind(sessions);
  const edgeDeps = {
    routes,
    findDevicePool,
    isConsoleHost,
    challengeAnswer: edge.challengeAnswer.bind(edge),
    redirectsToHttps: web.redirectsToHttps,
    tlsPort: publicTlsPort,
  };
  const routeDeps = {
    routes,
    isConsoleHost,
    webPorts: () => [httpPort(), publicTlsPort()],
    console: consoleUpstream,
    gateway: gatewayUpstream,
    findDevicePool,
    offlineSinceMs: sessions.offlineSinceMs.bind(sessions),
    tickets: {
      gateKey: () => routes.gateKey,
      redeem: client.redeemTicket.bind(client),
      redemptions: new ConnectionLimit({ perAddress: limits.maxRedemptionsPerVisitor, total: Infinity }),
      wallClockMs,
    },
    marker,
    wrongPasswords: new TryLimit(monotonicMs, { perMinute: WRONG_TRIES_PER_MINUTE }),
    preflights: new PreflightLimit(monotonicMs),
    nextTurn: (first: HttpTarget) => {
      const turn = (turns.get(first) ?? -1) + 1;
      turns.set(first, turn);
      return turn;
    },
    marks: { visitorCookies: visitorCookieNames, hopId: createHopId(), date },
    visitLog,
    wallClockMs,
  };
  const trustedUntilMs = edge.certificates.trustedUntilMs.bind(edge.certificates);
  const strictTransportDeps = { rules: web, isConsoleHost, tlsPort: publicTlsPort, trustedUntilMs, wallClockMs };
  const visitors = new VisitorConnections({
    monotonicMs,
    visitorLimit,
    longHeads,
    floods,
    abuse,
    limits,
    log,
    date,
    proxies,
    consoleUrl: () => routes.consoleUrl,
    route: (request, visitor) => answerAtEdge(edgeDeps, request, visitor) ?? routeRequest(routeDeps, request, visitor),
    strictTransport: (answer) => strictTransport(strictTransportDeps, answer),
  });
  const trials = new TrialVisits({
    ...routeDeps,
    monotonicMs,
    findDevice: routes.findDevice.bind(routes),
    openPool: sessions.openTrialPool.bind(sessions),
  });
  return { visitors, trials };
}
