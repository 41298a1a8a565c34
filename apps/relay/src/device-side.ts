import { randomBytes, X509Certificate } from 'node:crypto';
import type { Server } from 'node:net';
import type { ProbeResult, TrialResult, TrialVisit } from '@tongtu/contract';
import { certificatePin, WindowBudget } from '@tongtu/tunnel';
import { LoginTimes } from './frpc/login-times.ts';
import { createFrpcListener, type FrpcListener } from './listeners/frpc.ts';
import { createTunnelListener, type TunnelListener } from './listeners/tunnel.ts';
import type { RelayCore } from './relay-core.ts';
import { ServerClient } from './control/server-client.ts';
import { TryLimit, WRONG_TRIES_PER_MINUTE } from './access/try-limit.ts';
import { LineReporter } from './lines/line-reporter.ts';
import { DeviceAttempts } from './net/device-attempts.ts';
import { ChannelSessions } from './tunnels/channels/channel-sessions.ts';
import { WarmUp } from './tunnels/warm-up.ts';
import { DeviceSessions } from './tunnels/device-sessions.ts';
import { PacedWork } from './tunnels/paced-work.ts';
import { UsageLedger } from './usage/usage-ledger.ts';
import { UsageReporter } from './usage/usage-reporter.ts';
import { VisitReporter } from './visit-log/visit-reporter.ts';

/** The most by which all tunnels together may grow their receive windows. */
const WINDOW_BUDGET_BYTES = 256 * 1024 * 1024;
/** Tunnels whose end is processed in one turn: some 5 ms of work. */
const ENDINGS_PER_TURN = 32;

/** The devices of a relay, and its connection to the server. */
export type DeviceSide = {
  sessions: DeviceSessions;
  warmUp: WarmUp;
  client: ServerClient;
  reporter: UsageReporter;
  visitReporter: VisitReporter;
  /** For agents; not yet listening. */
  server: Server;
  frpc: FrpcListener;
  attempts: DeviceAttempts;
};

/** `portProblemOf`: why the public port of a mapping is not open. `wasPortFull`: see `PublicPorts`. */
export function createDeviceSide(
  core: RelayCore,
  {
    portProblemOf,
    wasPortFull,
    tryVisit,
  }: {
    portProblemOf: (mappingId: number) => ProbeResult | undefined;
    wasPortFull: (mappingId: number) => boolean;
    tryVisit: (deviceId: number, visit: TrialVisit) => Promise<TrialResult>;
  },
): DeviceSide {
  const { config, limits, monotonicMs, wallClockMs, log, routes, edge, visitLog } = core;
  const usage = new UsageLedger();
  const warmUp = new WarmUp(config.warmUp ?? { devices: 0, timeoutMs: 0 });
  const sessions = new DeviceSessions({
    routes,
    limits,
    usage,
    monotonicMs,
    wallClockMs,
    onPresence: (event) => {
      warmUp.updateCount(sessions.count);
      client.reportPresence(event);
    },
    onLine: (deviceId, loss) => lines.set(deviceId, loss),
    log,
  });
  routes.listener = sessions;
  const client = new ServerClient({
    ...config.control,
    relayId: config.relayId,
    limits,
    routes,
    onlineEvents: () => sessions.onlineEvents,
    probe: async (deviceId, mappingId) => {
      const problem = portProblemOf(mappingId);
      if (problem !== undefined) return problem;
      const result = await sessions.probe(deviceId, mappingId);
      return wasPortFull(mappingId) ? { ...result, wasFull: true } : result;
    },
    trial: tryVisit,
    wake: async (deviceId, mac) => await sessions.wake(deviceId, mac),
    upgrade: async (deviceId, offer) => await sessions.upgrade(deviceId, offer),
    discover: (deviceId, onReport) => sessions.discover(deviceId, onReport),
    diagnose: async (deviceId) => await sessions.diagnose(deviceId),
    onEdge: (state) => edge.apply(state),
    onCertificates: (certificates) => edge.putCertificates(certificates),
    onCertificatesKept: (ids) => edge.keepCertificates(ids),
    onUsageStored: (sequence) => reporter.onStored(sequence),
    onVisitsStored: (sequence) => visitReporter.onStored(sequence),
    onGreeted: () => {
      lines.reportAll();
      reporter.report();
      visitReporter.report();
      loginTimes.resend();
    },
    monotonicMs,
    log,
  });
  const lines = new LineReporter({ send: (message) => client.reportLines(message), intervalMs: limits.lineReportMs });
  const reporter = new UsageReporter({
    ledger: usage,
    send: (report) => client.reportUsage(report),
    intervalMs: limits.usageReportMs,
  });
  const visitReporter = new VisitReporter({
    log: visitLog,
    send: (report) => client.reportVisits(report),
    intervalMs: limits.visitReportMs,
  });
  const loginTimes = new LoginTimes({
    claim: (login) => client.claimFrpcLogin(login),
    reportProven: (deviceId) => client.reportFrpcProven(deviceId),
    wallClockMs,
  });
  const attempts = new DeviceAttempts({ send: (noted) => client.reportAttempts(noted) });
  const shared = {
    attempts,
    windowBudget: new WindowBudget(WINDOW_BUDGET_BYTES),
    endings: new PacedWork({ perTurn: ENDINGS_PER_TURN }),
  };
  const { server, open } = createAgentListener(core, { sessions, client, ...shared });
  const frpc = createListenerForFrpc(core, { sessions, client, loginTimes, ...shared });
  // Before the first routes nobody is known, and a refusal would cost a handshake: agents that come back with the relay wait.
  client.whenReady().then(open, () => {}); // stopped before
  return { sessions, warmUp, client, reporter, visitReporter, server, frpc, attempts };
}

type SharedByDevices = { attempts: DeviceAttempts; windowBudget: WindowBudget; endings: PacedWork };

function createAgentListener(
  { config, limits, monotonicMs, abuse, log, routes }: RelayCore,
  { sessions, client, attempts, windowBudget, endings }: Pick<DeviceSide, 'sessions' | 'client'> & SharedByDevices,
): TunnelListener {
  return createTunnelListener(config.tls.tunnel, {
    routes,
    sessions,
    channelSessions: new ChannelSessions(),
    enrol: (request) => client.enrol(request),
    relayPin: certificatePin(new X509Certificate(config.tls.tunnel.cert)),
    tunnels: config.tunnels,
    limits,
    windowBudget,
    defer: (work) => endings.add(work),
    monotonicMs,
    abuse,
    attempts,
    log,
  });
}

function createListenerForFrpc(
  { config, limits, monotonicMs, wallClockMs, abuse, log, routes, visitLog }: RelayCore,
  {
    sessions,
    client,
    loginTimes,
    attempts,
    windowBudget,
    endings,
  }: Pick<DeviceSide, 'sessions' | 'client'> & SharedByDevices & { loginTimes: LoginTimes },
): FrpcListener {
  return createFrpcListener({
    host: config.frpcHost,
    routes,
    sessions,
    visitLog,
    wrongKeys: new TryLimit(monotonicMs, { perMinute: WRONG_TRIES_PER_MINUTE }),
    wallClockMs,
    limits,
    windowBudget,
    defer: (work) => endings.add(work),
    whenReady: () => client.whenReady(),
    logIn: (login) => client.logInFrpc(login),
    loginTimes,
    applyProxy: (request) => client.applyFrpcProxy(request),
    peerPorts: config.frpcPeerPorts ?? [],
    relayPin: certificatePin(new X509Certificate(config.tls.tunnel.cert)),
    createRunId: () => randomBytes(8).toString('hex'),
    monotonicMs,
    abuse,
    attempts,
    log,
  });
}
