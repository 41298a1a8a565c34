import { randomBytes, X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DeviceRoutes, initialOptions, type Route } from '@tongtu/contract';
import { certificatePin } from '@tongtu/tunnel';
import { type Logger, pino } from 'pino';
import type { CertificatePaths } from '../config/relay-config.ts';
import type { RelayConfig } from '../config/relay-config.ts';
import type { RelayLimits } from '../config/relay-limits.ts';
import { type RunningRelay, startRelay } from '../start-relay.ts';
import { createConsoleHostTest } from '../routes/console-host.ts';
import { type FakeServer, startFakeServer, testSecret } from './fake-server.ts';
import { ChannelAgent } from './channel-agent.ts';
import { type AgentKey, createAgentKey, TestAgent, type TestAgentOptions } from './test-agent.ts';
import { testCertificate } from './test-certificate.ts';

export type TestRelay = AsyncDisposable & {
  relay: RunningRelay;
  server: FakeServer;
  gateKey: Buffer;
  relayPin: string;
  /** Adds a device to the routes and connects an agent for it. */
  connectDevice: (device: DeviceRoutes, key: AgentKey, options?: Partial<TestAgentOptions>) => Promise<TestAgent>;
  /** The same with an agent whose session has channels. */
  connectChannels: (device: DeviceRoutes, key: AgentKey, options?: Partial<TestAgentOptions>) => Promise<ChannelAgent>;
  openAgent: (options: Omit<TestAgentOptions, 'port' | 'relayPin'>) => TestAgent;
};

export type TestRelayChanges = Partial<
  Pick<
    RelayConfig,
    'frpcPeerPorts' | 'gateway' | 'isConsoleHost' | 'listen' | 'trustedProxies' | 'tunnels' | 'warmUp' | 'web'
  >
> & {
  certificateFiles?: CertificatePaths;
};

/** A relay on free ports with a fake server, both ready. */
export async function startTestRelay(
  limits: Partial<RelayLimits> = {},
  log: Logger = pino({ level: 'silent' }),
  { certificateFiles, web, ...changes }: TestRelayChanges = {},
): Promise<TestRelay> {
  const gateKey = randomBytes(32);
  const server = await startFakeServer(gateKey);
  const relay = await startRelay(
    {
      relayId: 'test',
      listen: { host: '127.0.0.1', httpPort: 0, tlsPort: 0, tunnelPort: 0, frpPort: 0 },
      frpcHost: 'frp.localhost',
      tls: {
        edge: testCertificate,
        tunnel: testCertificate,
        files: certificateFiles ?? { pairs: [], folder: undefined },
      },
      web: web ?? {},
      upstream: { host: '127.0.0.1', port: server.port },
      control: { url: `ws://127.0.0.1:${server.port}/internal/relay-control/`, secret: testSecret },
      consoleUrl: 'http://localhost:8080',
      isConsoleHost: createConsoleHostTest(['localhost']),
      limits: { sweepIntervalMs: 20, heartbeatCheckMs: 10, drainMs: 200, lossKeptMs: Infinity, ...limits },
      ...changes,
    },
    log,
  );
  await relay.whenReady();
  const relayPin = certificatePin(new X509Certificate(testCertificate.cert));
  const agents: AsyncDisposable[] = [];
  function openAgent(options: Omit<TestAgentOptions, 'port' | 'relayPin'>): TestAgent {
    const agent = new TestAgent({ port: relay.tunnelPort, relayPin, ...options });
    agents.push(agent);
    return agent;
  }
  return {
    relay,
    server,
    gateKey,
    relayPin,
    openAgent,
    async connectDevice(device, key, options = {}) {
      server.put(device);
      const agent = openAgent({ key, token: 'unused: the key is known', ...options });
      await agent.waitFor('welcome');
      return agent;
    },
    async connectChannels(device, key, options = {}) {
      server.put(device);
      const agent = new ChannelAgent({ port: relay.tunnelPort, relayPin, key, token: 'unused', ...options });
      agents.push(agent);
      await agent.first.waitFor('welcome');
      return agent;
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) await agent[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

let lastId = 0;

/** A device with routes to one port of this machine, as the server would send it. */
export function testDevice(key: AgentKey, hosts: Record<string, number>, route: Partial<Route> = {}): DeviceRoutes {
  const deviceId = ++lastId;
  return {
    deviceId,
    uid: deviceId.toString(16).padStart(12, '0'),
    publicKey: key.publicKey,
    enabled: true,
    allowList: [],
    bandwidthBps: null,
    routes: Object.entries(hosts).map(([host, targetPort]) => ({
      mappingId: ++lastId,
      host,
      kind: 'http',
      isOwnDomain: false,
      port: null,
      targetHost: '127.0.0.1',
      targetPort,
      ...initialOptions,
      policy: 'public',
      enabled: true,
      opensAtMs: null,
      closesAtMs: null,
      hours: null,
      verifiedIps: [],
      extendedVerifications: [],
      revokedVerifications: [],
      clientWindowUntilMs: null,
      ...route,
    })),
  };
}

export { createAgentKey };

export type LanService = AsyncDisposable & { port: number; server: Server };

/** A web service in the LAN. */
export async function startLanService(onRequest: RequestListener): Promise<LanService> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    port: (server.address() as AddressInfo).port, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
