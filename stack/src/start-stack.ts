import { type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { must } from '@tongtu/base';
import { fieldMessages, passwordWeakness } from '@tongtu/contract';
import { type PaymentConfig, type RunningServer, StartError, startServer } from '@tongtu/server';
import { certificatePin } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import { type CertificatesOnFile, openCertificatesOnFile } from './certificates-on-file.ts';
import {
  checkCertificateFiles,
  type KeyAndCertificate,
  loadSelfSignedCertificate,
  loadTunnelCertificate,
} from './certificates.ts';
import { findHttpsNameProblems, type HttpsNameProblem, logHttpsNameProblems } from './check-https-names.ts';
import { assertNotForMappings, databaseOf, type StackConfig } from './config.ts';
import { prepareDataDir, readOrCreatePrivateFile } from './data-dir/data-dir.ts';
import { lockDataDir } from './data-dir/lock-data-dir.ts';
import { openOneTimePassword } from './data-dir/one-time-password.ts';
import { loadAgentSigningKey } from './data-dir/agent-signing-key.ts';
import { loadSecrets, type Secrets } from './data-dir/secrets.ts';
import { GatewayRunner } from './gateway/gateway-runner.ts';
import { explainStartError } from './explain-start-error.ts';
import { assertPortsAreFree, cannotListen, choosePorts, portsOf, resolveListenHost } from './listen-addresses.ts';
import { type LocalAgentState, startLocalAgent } from './local-agent.ts';
import { OperatorError } from './operator-error.ts';
import { RelayExitError } from './relays/relay-child.ts';
import type { RelayProcessConfig } from './relays/relay-messages.ts';
import { RelayProcesses } from './relays/relay-processes.ts';
import { loadPayments } from './settings/load-payments.ts';
import { publicTunnelPorts } from './settings/tunnel-ports.ts';

/** `lockFile`: the one that npm has installed this tree from. */
export type StackFiles = { webRoot: string; agentFile: string; lockFile: string; version: string };

/** The first account, to show to the operator. Without a password: the one from ADMIN_PASSWORD applies. */
export type AdminAccount = { name: string; password: string | undefined };

export type RunningStack = AsyncDisposable & {
  consoleUrl: string;
  /** At the start. */
  httpsNameProblems: readonly HttpsNameProblem[];
  /** The state of this machine's agent; undefined with --no-local-agent. */
  localAgent: Promise<LocalAgentState> | undefined;
};

/**
 * Starts server and this machine's agent in this process and the relays in processes of their own.
 * `announce` shows a new admin password as soon as it is valid, so that a later failure cannot hide it.
 * Throws OperatorError or StartError for what the operator can mend.
 */
export async function startStack(
  config: StackConfig,
  files: StackFiles,
  log: Logger,
  announce: (account: AdminAccount) => void,
): Promise<RunningStack> {
  try {
    return await start(config, files, log, announce);
  } catch (error) {
    if (error instanceof OperatorError || error instanceof StartError) throw error;
    throw explainStartError(error, config.dataDir) ?? error;
  }
}

async function start(
  given: StackConfig,
  files: StackFiles,
  log: Logger,
  announce: (account: AdminAccount) => void,
): Promise<RunningStack> {
  await using parts = new AsyncDisposableStack();
  await prepareDataDir(given.dataDir);
  parts.use(await lockDataDir(given.dataDir));
  const config = await choosePorts({ ...given, host: await resolveListenHost(given.host) });
  assertNotForMappings(config.publicPorts, portsOf(config)); // also those that the system has chosen
  await assertPortsAreFree(config);
  const installation = await loadInstallation(config);

  const { logLevel, drainMs, tunnelPorts } = config;
  const gatewaySecret = randomBytes(32).toString('base64url');
  const gateway = parts.use(await GatewayRunner.listen({ gatewaySecret, logLevel }, log));
  const onGatewayPort = gateway.setRelayPort.bind(gateway);
  const relays = parts.use(RelayProcesses.fork({ count: tunnelPorts.length, drainMs, logLevel, onGatewayPort }, log));
  const onFile = parts.use(await openCertificatesOnFile(config.certificateFiles, Date.now));
  const findProblems = () => findHttpsNameProblems(config, onFile);
  parts.use(logHttpsNameProblems(findProblems, log));
  const server = parts.use(await startServerOf(config, installation, { ...files, onFile }, log));
  await announceAdmin(config, server, announce);
  gateway.connect(server.connectGateway);
  const gatewayAddress = { host: '127.0.0.1', port: gateway.port, secret: gatewaySecret };
  await startRelays(relays, config, (number) => ({
    ...relayConfigOf(config, installation, server, number),
    gateway: gatewayAddress,
  }));
  const localAgent = config.runsLocalAgent
    ? parts.use(startLocalAgent({ config, version: files.version, server, log }))
    : undefined;
  // The relays stop first: they report to the server, and their open requests may need this machine's agent.
  parts.defer(() => gateway[Symbol.asyncDispose]());
  parts.defer(() => relays[Symbol.asyncDispose]());
  parts.defer(() => {
    server.endLongRequests();
    localAgent?.silenceLog();
  });

  const running = parts.move();
  return {
    consoleUrl: installation.consoleUrl,
    httpsNameProblems: findProblems(),
    localAgent: localAgent?.state,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** What stays the same across restarts. */
type Installation = {
  consoleUrl: string;
  relayIds: string[];
  secrets: Secrets;
  payments: PaymentConfig;
  agentSigningKey: KeyObject;
  tunnelCertificate: KeyAndCertificate;
  edgeCertificate: KeyAndCertificate;
};

async function loadInstallation(config: StackConfig): Promise<Installation> {
  const { dataDir, baseDomain, httpPort } = config;
  await checkCertificateFiles(config.certificateFiles);
  const makeRelayId = async () => `relay-${randomBytes(6).toString('hex')}`;
  return {
    consoleUrl: config.publicUrl ?? `http://${baseDomain}${httpPort === 80 ? '' : `:${httpPort}`}`,
    relayIds: await Promise.all(
      config.tunnelPorts.map((_, index) => {
        const file = path.join(dataDir, index === 0 ? 'relay-id' : `relay-id-${index + 1}`);
        return readOrCreatePrivateFile(file, makeRelayId);
      }),
    ),
    secrets: await loadSecrets(dataDir),
    payments: await loadPayments(config.payments),
    agentSigningKey: await loadAgentSigningKey(dataDir),
    tunnelCertificate: await loadTunnelCertificate(dataDir),
    edgeCertificate: await loadSelfSignedCertificate(dataDir, { baseDomain, wallClockMs: Date.now() }),
  };
}

async function startServerOf(
  config: StackConfig,
  { consoleUrl, secrets, payments, tunnelCertificate, agentSigningKey }: Installation,
  { onFile, lockFile, ...files }: StackFiles & { onFile: CertificatesOnFile },
  log: Logger,
): Promise<RunningServer> {
  const { baseDomain, billing, consoleHosts } = config;
  return await startServer(
    {
      database: databaseOf(config),
      listen: { host: '127.0.0.1', port: 0 },
      baseDomain,
      consoleHosts,
      publicUrl: consoleUrl,
      allowedPorts: [config.httpPort, config.tlsPort],
      tlsPort: config.tlsPort,
      redirectsToHttps: config.web.redirectsToHttps,
      isBehindProxy: config.trustedProxies.length > 0,
      hasCertificateFile: onFile.cover,
      publicPorts: config.publicPorts,
      defaultBandwidthBps: config.defaultBandwidthBps,
      acme: config.acme,
      messages: config.messages,
      wechat: config.wechat,
      billing,
      payments,
      chooseAdminPassword: async () => await chooseAdminPassword(config),
      secrets,
      tunnel: {
        host: config.tunnelHost,
        port: publicTunnelPorts(config)[0] ?? 0,
        pin: certificatePin(new X509Certificate(tunnelCertificate.cert)),
      },
      agentSigningKey,
      frp: config.frp,
      runtimes: { lockFile, folder: path.join(config.dataDir, 'agent-runtimes'), registry: config.npmRegistry },
      ...files,
    },
    log.child({ part: 'server' }),
  );
}

/** Called at the first start only. Later ADMIN_PASSWORD is ignored, so that a weak one does not prevent the start. */
async function chooseAdminPassword({ adminPassword, dataDir }: StackConfig): Promise<string> {
  if (adminPassword === undefined) return await openOneTimePassword(dataDir).choose();
  const weakness = passwordWeakness(adminPassword, ['admin']);
  if (weakness !== undefined) throw new OperatorError(`ADMIN_PASSWORD：${fieldMessages[weakness].zh}`);
  return adminPassword;
}

/** A generated password stays in its file until it has been shown, even if that takes another start. */
async function announceAdmin(
  config: StackConfig,
  server: RunningServer,
  announce: (account: AdminAccount) => void,
): Promise<void> {
  const oneTime = openOneTimePassword(config.dataDir);
  let name = 'admin';
  if (config.resetsAdminPassword) name = await server.resetAdminPassword(await oneTime.choose());
  const password = await oneTime.read();
  if (!server.isFirstStart && password === undefined) return;
  announce({ name, password });
  await oneTime.forget();
}

function relayConfigOf(
  config: StackConfig,
  { consoleUrl, relayIds, secrets, tunnelCertificate, edgeCertificate }: Installation,
  server: RunningServer,
  number: number,
): RelayProcessConfig {
  const { host, httpPort, tlsPort, tunnelPorts, drainMs, congestionControl } = config;
  return {
    relayId: must(relayIds[number - 1], 'relay id'),
    listen: {
      host,
      httpPort,
      tlsPort,
      tunnelPort: must(tunnelPorts[number - 1], 'tunnel port'),
      isShared: tunnelPorts.length > 1,
      ...(config.frp && number === 1 && { frpPort: config.frp.port }),
    },
    ...(config.frp?.isAtTlsPort && { frpcHost: `frp.${config.baseDomain}` }),
    ...(config.frp && number === 1 && { frpcPeerPorts: tunnelPorts.slice(1) }),
    tls: { edge: edgeCertificate, tunnel: tunnelCertificate, files: config.certificateFiles },
    web: config.web,
    trustedProxies: config.trustedProxies,
    congestionControl: { wanted: congestionControl, isReported: number === 1 },
    upstream: { host: '127.0.0.1', port: server.port },
    control: { url: `ws://127.0.0.1:${server.port}/internal/relay-control/`, secret: secrets.relaySecret },
    consoleUrl,
    consoleNames: [config.baseDomain, 'localhost', new URL(consoleUrl).hostname, ...config.consoleHosts],
    // An empty host: the name that the agent has dialled.
    tunnels: publicTunnelPorts(config).map((port) => ({ host: '', port })),
    limits: { drainMs },
  };
}

async function startRelays(
  relays: RelayProcesses,
  config: StackConfig,
  configOf: (number: number) => RelayProcessConfig,
): Promise<void> {
  try {
    await relays.start(configOf);
  } catch (error) {
    if (error instanceof RelayExitError) throw cannotStartRelay(error);
    const { port } = error as { port?: number }; // errors of listening sockets have it
    throw port === undefined ? error : cannotListen(config, port, error as NodeJS.ErrnoException);
  }
}

const refusals: Record<string, string> = {
  ENOENT: `找不到 Node.js 程序 ${process.execPath}。如果正在执行 npm ci，请等它完成后再启动`,
  EACCES: `没有执行 ${process.execPath} 的权限`,
  EAGAIN: '系统不再允许新建进程。请提高进程数的上限（ulimit -u，systemd 的 TasksMax）',
  ENOMEM: '内存不足',
  EMFILE: '打开的文件和连接已达上限。请提高上限（ulimit -n，systemd 的 LimitNOFILE）',
  ENFILE: '整个系统打开的文件已达上限（fs.file-max）',
};

function cannotStartRelay(cause: RelayExitError): OperatorError {
  const { exit } = cause;
  switch (exit.type) {
    case 'not-started': {
      const { code = '' } = exit.error as NodeJS.ErrnoException; // spawn fails with such an error
      return new OperatorError(`无法启动中继进程：${refusals[code] ?? exit.error.message}`, { cause });
    }
    case 'hung':
      return new OperatorError('中继进程启动后没有回应，已被结束。请检查这台机器的处理器和内存是否够用', { cause });
    case 'ended':
      return new OperatorError(
        `中继进程在启动时结束了（${exit.signal ?? `退出码 ${exit.code}`}），原因见前面的输出；没有输出时多半是内存不足`,
        { cause },
      );
  }
}
