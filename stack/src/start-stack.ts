import { createServer } from 'node:net';
import path from 'node:path';
import { createConsoleHostTest, startRelay } from '@tongtu/relay';
import { startServer } from '@tongtu/server';
import type { Logger } from 'pino';
import { loadEdgeCertificate, loadTunnelCertificate, pinOf } from './certificates.ts';
import type { StackConfig } from './config.ts';
import { prepareDataDir } from './data-dir.ts';
import { startLocalAgent } from './local-agent.ts';
import { OperatorError } from './operator-error.ts';
import { loadSecrets } from './secrets.ts';

export type StackFiles = { webRoot: string; agentFile: string; version: string };

export type RunningStack = AsyncDisposable & {
  consoleUrl: string;
  /** The address of the page that this machine's own agent serves; undefined without one. */
  welcomeUrl: Promise<string | undefined>;
};

const DRAIN_MS = 3000;

/**
 * Starts server, relay and this machine's agent in one process, through the same doors that separate processes use.
 * `onFirstStart` is told of a fresh admin account at once, so that a later failure cannot swallow its password.
 * Throws OperatorError for what the operator can mend.
 */
export async function startStack(
  config: StackConfig,
  files: StackFiles,
  log: Logger,
  onFirstStart: (account: { password: string | undefined }) => void,
): Promise<RunningStack> {
  await prepareDataDir(config.dataDir);
  await assertPortsAreFree(config);
  const secrets = await loadSecrets(config.dataDir);
  const tunnelCertificate = await loadTunnelCertificate(config.dataDir);
  const edgeCertificate = await loadEdgeCertificate(config.dataDir, {
    baseDomain: config.baseDomain,
    files: config.edgeCertificateFiles,
    nowMs: Date.now(),
  });
  const consoleUrl =
    config.publicUrl ?? `http://${config.baseDomain}${config.httpPort === 80 ? '' : `:${config.httpPort}`}`;

  await using parts = new AsyncDisposableStack();
  const server = await startServer(
    {
      database: config.databaseUrl
        ? { url: config.databaseUrl }
        : { embeddedDir: path.join(config.dataDir, 'postgres') },
      listen: { host: '127.0.0.1', port: 0 },
      baseDomain: config.baseDomain,
      publicUrl: consoleUrl,
      allowedPorts: [config.httpPort, config.tlsPort],
      billing: config.billing,
      adminPassword: config.adminPassword,
      secrets,
      tunnel: { host: config.tunnelHost, port: config.tunnelPort, pin: pinOf(tunnelCertificate.cert) },
      ...files,
    },
    log.child({ part: 'server' }),
  );
  parts.use(server);
  if (server.firstStart) onFirstStart({ password: server.firstStart.adminPassword });

  const relay = await startRelay(
    {
      relayId: 'relay-1',
      listen: {
        host: config.host,
        httpPort: config.httpPort,
        tlsPort: config.tlsPort,
        tunnelPort: config.tunnelPort,
      },
      tls: { edge: edgeCertificate, tunnel: tunnelCertificate },
      upstream: { host: '127.0.0.1', port: server.port },
      control: { url: `ws://127.0.0.1:${server.port}/internal/relay-control/`, secret: secrets.relaySecret },
      consoleUrl,
      isConsoleHost: createConsoleHostTest([config.baseDomain, 'localhost', ...config.consoleHosts]),
      limits: { drainMs: DRAIN_MS },
    },
    log.child({ part: 'relay' }),
  );
  parts.use(relay);
  await relay.whenReady();

  const localAgent = config.runsLocalAgent
    ? parts.use(startLocalAgent({ config, version: files.version, httpPort: relay.httpPort, server, log }))
    : undefined;
  const running = parts.move();
  return {
    consoleUrl,
    welcomeUrl: localAgent?.welcomeUrl ?? Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Told before anything is written: a first start that fails half-way would already have used up its one-time password. */
async function assertPortsAreFree(config: StackConfig): Promise<void> {
  const ports = [
    { name: 'PORT', port: config.httpPort },
    { name: 'TLS_PORT', port: config.tlsPort },
    { name: 'TUNNEL_PORT', port: config.tunnelPort },
  ];
  for (const { name, port } of ports) {
    const cause = await tryPort(config.host, port);
    if (cause?.code === 'EADDRINUSE') {
      throw new OperatorError(`端口 ${port} 已被占用。请先停止占用它的程序，或用 ${name} 指定其他端口`, { cause });
    }
    if (cause?.code === 'EACCES') {
      throw new OperatorError(`没有使用端口 ${port} 的权限。请用 ${name} 指定 1024 以上的端口`, { cause });
    }
    if (cause) throw new OperatorError(`无法监听 ${config.host} 的端口 ${port}：${cause.code}`, { cause });
  }
}

function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
