import type { AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import type { ServerToGateway } from '@tongtu/contract';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import { runCleanUp } from './clean-up.ts';
import { openDb, type Db, type OpenDb } from './db/driver.ts';
import { migrate } from './db/migrate.ts';
import { deriveKey } from './derive-key.ts';
import { registerAccessRequestRoutes } from './features/access-requests/index.ts';
import { registerAgentDownloads, Runtimes } from './features/agent-downloads/index.ts';
import { publishDue, registerAnnouncementRoutes } from './features/announcements/index.ts';
import { findApiCaller } from './features/api-tokens/index.ts';
import { registerAuditRoutes } from './features/audit/index.ts';
import { registerBindingRoutes, useBinding } from './features/bindings/index.ts';
import { registerStatisticsRoutes } from './features/statistics/index.ts';
import { uptimeJobs } from './features/uptime/index.ts';
import { statisticsJobs } from './features/usage/index.ts';
import {
  isCertified,
  openNameServers,
  planConsoleCertificates,
  startCertificateScheduler,
} from './features/certificates/index.ts';
import {
  connectGateway,
  endAbandonedSessions,
  type GatewayLink,
  registerCloudAppRoutes,
  wakeScheduled,
} from './features/cloud-apps/index.ts';
import { openOffers, registerAgentUpgradeRoutes, upgradeKeyOf } from './features/agent-upgrades/index.ts';
import { registerAdoptionRoutes } from './features/device-adoption/index.ts';
import { registerDiagnosisRoutes } from './features/diagnosis/index.ts';
import { LanScans, recognizeService, registerLanRoutes } from './features/discovery/index.ts';
import { enrolDevice, registerDeviceRoutes, resolveName } from './features/devices/index.ts';
import { checkDomainNow, keepCheckingDomains } from './features/domains/index.ts';
import { findKeyState, registerEnrolmentKeyRoutes, useEnrolmentKey } from './features/enrolment-keys/index.ts';
import { hasAdministratorLoggedIn, registerFirstStepsRoutes } from './features/first-steps/index.ts';
import { AttemptRecorder, noteRefusedToken, registerDeviceAttemptRoutes } from './features/device-attempts/index.ts';
import {
  chooseFrpcAddress,
  claimFrpcLogin,
  type FrpcAddress,
  logInFrpc,
  markSpeaksV2,
  registerFrpcDeviceRoutes,
} from './features/frpc-devices/index.ts';
import { ensureWelcomeMapping } from './features/first-start/index.ts';
import { redeemTicket, registerGateRoutes } from './features/gate/index.ts';
import {
  doFirstStart,
  findFirstAdminId,
  isKeyOfDatabase,
  updateOnlyServerSuffix,
} from './features/installation/index.ts';
import { type DeviceChange, LiveStreams, registerLiveRoutes } from './features/live/index.ts';
import {
  applyFrpcProxy,
  createTxtResolver,
  logOvertakenDomains,
  type MappingDeps,
  placeOfHost,
  type PublicPlace,
  registerMappingRoutes,
} from './features/mappings/index.ts';
import { registerManageJobRoutes } from './features/manage-jobs/index.ts';
import { registerManageDeviceRoutes } from './features/manage-devices/index.ts';
import { enableForOperator } from './features/manage-users/index.ts';
import { placeOf } from './features/places/index.ts';
import { readRegistration } from './features/registration/index.ts';
import { storeBilling } from './features/plans/index.ts';
import { ensureStarterCatalogue } from './features/products/index.ts';
import { registerRefusedVisitRoutes } from './features/refused-visits/index.ts';
import { registerVisitRoutes } from './features/visits/index.ts';
import { registerRelayControl, RelayHub } from './features/relays/index.ts';
import { hasSecondFactor, turnOffSecondFactor } from './features/second-factor/index.ts';
import { registerPlayerRoutes } from './features/players/index.ts';
import { registerSiteEntryRoutes } from './features/site-entries/index.ts';
import { registerServerRoutes } from './features/servers/index.ts';
import { createSessionSource } from './features/sessions/index.ts';
import { registerSiteRoutes } from './features/site/index.ts';
import { markClient, registerSharingRoutes } from './features/sharing/index.ts';
import {
  findTokenOwner,
  hashQueued,
  markOneTimePassword,
  readAccountToken,
  resetPassword,
  useTokenSign,
  verifyPassword,
  fillSkeletons,
} from './features/users/index.ts';
import { markGroundsRevoked, registerVerificationRoutes } from './features/verifications/index.ts';
import { createApp, type App } from './http/create-app.ts';
import { buildOpenApi } from './http/open-api.ts';
import { serveConsole } from './http/serve-console.ts';
import { runEvery } from './jobs/run-every.ts';
import { type SharedJob, runSharedJobs } from './jobs/run-shared-jobs.ts';
import { registerAccountFeatures, registrationMethodsOf } from './register-account-features.ts';
import { registerBillingFeatures } from './register-billing-features.ts';
import type { ServerConfig } from './server-config.ts';
import { StartError } from './start-error.ts';

export type RunningServer = AsyncDisposable & {
  port: number;
  isFirstStart: boolean;
  /** Sets the first account's password, removes its second factor and ends its sessions. Returns its name. */
  resetAdminPassword(password: string): Promise<string>;
  /** Account token of the first account. The agent on this machine enrols with it. */
  localAgentToken(): Promise<string>;
  /** Ends event streams and long polls, which would otherwise delay a stop until they time out. */
  endLongRequests(): void;
  /** Creates the welcome mapping if needed. Returns its address, or undefined if the owner has deleted it. */
  ensureWelcomeMapping(input: { deviceUid: string; targetPort: number }): Promise<string | undefined>;
  /** Answers a gateway process until it is disposed. `send` must not throw. */
  connectGateway(send: (message: ServerToGateway) => void): GatewayLink;
};

const PUBLISH_EVERY_MS = 15_000;
const END_ABANDONED_EVERY_MS = 15_000;
/** Several times in each minute of a schedule. */
const WAKE_EVERY_MS = 10_000;
const DRAIN_MS = 2_000;

/** Starts the API and its database. Resolves when the API answers. Throws StartError for what the operator can correct. */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  await using parts = new AsyncDisposableStack();
  const open = parts.use(await openDb(config.database, log));
  const { db } = open;
  await migrate(db);
  const { sealingKey } = config.secrets;
  if (!(await isKeyOfDatabase(db, sealingKey))) throw new StartError('secrets.other', '');
  const isFirstStart = await doFirstStart(db, { ...config, sealingKey });
  if (await updateOnlyServerSuffix(db, config.baseDomain))
    log.warn({ baseDomain: config.baseDomain }, 'mappings moved to the configured domain');
  await logOvertakenDomains({ db, ownDomains: ownDomains(config), log });
  await fillSkeletons(db);
  await storeBilling(db, config.billing);
  if (config.billing === 'on') await ensureStarterCatalogue(db);

  const csrfKey = deriveKey(sealingKey, 'csrf');
  const isHttps = config.publicUrl.startsWith('https:');
  const sessions = { ...createSessionSource(db), findByToken: async (token: string) => await findApiCaller(db, token) };
  const guard = {
    ...{ sessions, csrfKey, billing: config.billing },
    hasSecondFactor: async (userId: number) => await hasSecondFactor(db, userId),
  };
  const ssoOrigin = config.wechat?.type === 'other-host' ? new URL(config.wechat.url).origin : undefined;
  const app = await createApp({ ...guard, log, db, isHttps, ssoOrigin });
  parts.defer(() => closeApp(app));
  const { streams, endSsoWaits, jobs } = await registerFeatures(app, { config, open, csrfKey, log, parts });
  const port = await listen(app, config.listen);
  if (config.acme) parts.use(await startCertificates(config, config.acme, open, log));
  parts.use(runEvery({ name: 'publish announcements', everyMs: PUBLISH_EVERY_MS, run: () => publishDue(db) }, log));
  const endAbandoned = { name: 'end abandoned app sessions', run: async () => await endAbandonedSessions(db) };
  parts.use(runEvery({ ...endAbandoned, everyMs: END_ABANDONED_EVERY_MS }, log));
  parts.use(runCleanUp(db, log));
  parts.use(await runSharedJobs(db, jobs, log));

  const running = parts.move();
  return {
    port,
    isFirstStart,
    resetAdminPassword: async (password) => {
      const adminId = await getFirstAdminId(db);
      await turnOffSecondFactor(db, adminId); // the operator may have lost the phone, too
      await db.transaction().execute(async (tx) => await enableForOperator(tx, adminId));
      const username = await resetPassword(db, adminId, password);
      await markOneTimePassword(db, adminId);
      return username;
    },
    localAgentToken: async () => await readAccountToken(db, sealingKey, await getFirstAdminId(db)),
    endLongRequests: () => {
      streams.endAll();
      endSsoWaits();
    },
    ensureWelcomeMapping: async (input) => await ensureWelcomeMapping({ ...config, db }, input),
    // Ends before the database is closed.
    connectGateway: (send) => running.use(connectGateway({ db, sealingKey, log }, send)),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

async function getFirstAdminId(db: Db): Promise<number> {
  return must(await findFirstAdminId(db), 'the first account');
}

type Composition = { config: ServerConfig; open: OpenDb; csrfKey: Buffer; log: Logger; parts: AsyncDisposableStack };

/** Registers every feature and passes it what it may use. */
async function registerFeatures(
  app: App,
  { config, open, csrfKey, log, parts }: Composition,
): Promise<{ streams: LiveStreams; endSsoWaits: () => void; jobs: SharedJob[] }> {
  const { db, listen } = open;
  const { publicUrl, version } = config;
  const { sealingKey, gateKey, relaySecret } = config.secrets;
  serveOpenApi(app, version);
  const { endSsoWaits } = await registerAccountFeatures(app, { config, open, csrfKey, log, parts });
  registerAnnouncementRoutes(app, { db });
  registerAuditRoutes(app, { db });
  registerManageDeviceRoutes(app, { db });
  registerSiteRoutes(app, {
    ...config,
    readRegistration: async () => await readRegistration(db, registrationMethodsOf(config)),
    hasAdministratorLoggedIn: async () => await hasAdministratorLoggedIn(db),
  });
  registerFirstStepsRoutes(app, { db, baseDomain: config.baseDomain });
  const attempts = parts.use(new AttemptRecorder({ db, log }));
  registerDeviceAttemptRoutes(app, { db });
  const runtimes = parts.use(new Runtimes({ ...config.runtimes, log, monotonicMs: () => performance.now() }));
  const tunnel = { ...config.tunnel, protocol: PROTOCOL_VERSION };
  const upgradeKey = upgradeKeyOf(config.agentSigningKey);
  const noteDownload = (kind: 'script' | 'agent', ip: string): void => attempts.note({ kind, ip });
  registerAgentDownloads(app, { ...config, runtimes, upgradeKey, tunnel, noteDownload });

  registerBindingRoutes(app, { db, placeOf });

  registerEnrolmentKeyRoutes(app, { db });

  const claimToken = async (tx: Db, token: string, publicKey: string) => {
    const key = await useEnrolmentKey(tx, token);
    if (key) return key;
    const userId =
      (await findTokenOwner(tx, token)) ?? (await useTokenSign(tx, token)) ?? (await useBinding(tx, token, publicKey));
    return userId === undefined ? undefined : { userId };
  };
  // Disposed after the hub, whose end is the end of all scans: they are stored before the database is closed.
  const scans = parts.use(new LanScans({ db, log, discover: (device, onReport) => hub.discover(device, onReport) }));
  const nameServers = openNameServers(config.acme?.resolvers ?? []);
  const domainChecks = { db, publicUrl, gateKey, nameServers, mayAsk: 'public' as const };
  const whenSentToRelays = async (change: DeviceChange): Promise<void> => await hub.whenSent(change);
  const mappings: MappingDeps & PublicPlace = {
    ...config,
    db,
    ownPrefixes: ownPrefixes(config),
    ownDomains: ownDomains(config),
    domainProofKey: deriveKey(sealingKey, 'domain proof'),
    hashPassword: hashQueued,
    endPasswordProofs: async (tx, mappingId) => await markGroundsRevoked(tx, { mappingId, grantedBy: 'password' }),
    resolveTxt: createTxtResolver(),
    checkDomain: async (mappingId) => await checkDomainNow(domainChecks, mappingId),
    whenSentToRelays,
  };
  const hub = parts.use(
    await RelayHub.start({
      db,
      listen,
      log,
      gateKey,
      sealingKey,
      sourceKey: deriveKey(sealingKey, 'usage sources'),
      consoleUrl: publicUrl,
      homeSuffix: config.baseDomain,
      defaultBandwidthBps: config.defaultBandwidthBps,
      enrol: async (enrolment) => await enrolDevice({ db, claimToken }, enrolment),
      redeem: async (redemption) => await redeemTicket(db, redemption),
      mark: async (client) => await markClient(db, client),
      noteAttempt: (attempt) => attempts.note(attempt),
      onEnrolRefused: async (refusal) =>
        await noteRefusedToken(
          { note: (attempt) => attempts.note(attempt), findKey: async (token) => await findKeyState(db, token) },
          refusal,
        ),
      logInFrpc: async (login) => await logInFrpc({ db, sealingKey }, login),
      claimFrpcLogin: async (login) => await claimFrpcLogin(db, login),
      onFrpcProven: async (deviceId) => await markSpeaksV2(db, deviceId),
      applyFrpcProxy: async (request) => await applyFrpcProxy(mappings, request),
    }),
  );
  registerRelayControl(app, { hub, relaySecret });
  const probe = hub.probe.bind(hub);
  const tryVisit = hub.tryVisit.bind(hub);
  const monotonicMs = () => performance.now();
  registerDeviceRoutes(app, { ...config, db, probe, tryVisit, recognizeService, resolveName, monotonicMs });
  registerLanRoutes(app, { db, scans });
  registerDiagnosisRoutes(app, { db, diagnose: hub.diagnose.bind(hub), wallClock: () => new Date() });
  const makeOffer = openOffers({ agentFile: config.agentFile, version, signingKey: config.agentSigningKey });
  registerAgentUpgradeRoutes(app, { db, version, makeOffer, upgrade: hub.upgrade.bind(hub), log });
  registerFrpcDeviceRoutes(app, { db, sealingKey, baseDomain: config.baseDomain, addressFor: frpcAddress(db, config) });
  parts.use(keepCheckingDomains(domainChecks, log));
  registerAdoptionRoutes(app, { db, whenSentToRelays });
  registerMappingRoutes(app, mappings);
  registerCloudAppRoutes(app, { db, sealingKey, whenSentToRelays, devices: hub });
  const wakeHosts = async () => await wakeScheduled({ db, devices: hub }, Date.now());
  parts.use(runEvery({ name: 'wake hosts of cloud apps', everyMs: WAKE_EVERY_MS, run: wakeHosts }, log));
  registerServerRoutes(app, { db });
  registerSiteEntryRoutes(app, { db });
  registerPlayerRoutes(app, { db });
  const billing = registerBillingFeatures(app, { config, db, log });
  const jobs = [...billing.jobs, ...statisticsJobs({ db }), ...uptimeJobs({ db })];
  registerStatisticsRoutes(app, { db });
  registerManageJobRoutes(app, { db, names: jobs.map(({ name }) => name) });
  const hasCertificate = certificateTest(db, config);
  registerGateRoutes(app, { ...config, db, hasCertificate, verifyPassword, wallClockMs: Date.now });
  registerVerificationRoutes(app, { db, placeOf });
  registerRefusedVisitRoutes(app, { db, placeOf });
  registerVisitRoutes(app, { db });
  registerAccessRequestRoutes(app, { db });
  registerSharingRoutes(app, { ...config, db, sealingKey, phoneRegions: config.messages.phoneRegions });
  const streams = parts.use(await LiveStreams.start({ db, listen, log }));
  registerLiveRoutes(app, { streams });

  await serveConsole(app, config.webRoot);
  return { streams, endSsoWaits, jobs };
}

/** Returns a test whether browsers see a certificate of an authority for a mapping's name, as far as the server knows. */
function certificateTest(db: Db, { hasCertificateFile, isBehindProxy, publicUrl }: ServerConfig) {
  // The server does not see which certificates a proxy shows. An https PUBLIC_URL says that the proxy has one for the
  // suffix. It says nothing about custom domains.
  const proxyHasCertificate = isBehindProxy && publicUrl.startsWith('https:');
  return async (host: string): Promise<boolean> => {
    if (hasCertificateFile(host) || (await isCertified(db, host))) return true;
    return proxyHasCertificate && (await placeOfHost(db, host)) === 'below_suffix';
  };
}

/** The names of the console, and the name to which agents connect. */
function ownDomains({ publicUrl, consoleHosts, tunnel }: ServerConfig): string[] {
  const names = [new URL(publicUrl).hostname, ...consoleHosts];
  return tunnel.host === undefined ? names : [...names, tunnel.host];
}

/** Where a stock frpc reaches a relay, as well as the server knows. */
function frpcAddress(db: Db, config: ServerConfig): (consoleHost: string) => Promise<FrpcAddress | undefined> {
  const { baseDomain, frp, hasCertificateFile, isBehindProxy, publicUrl, tlsPort, tunnel } = config;
  const { protocol, port } = new URL(publicUrl);
  const publicTlsPort = protocol === 'https:' ? Number(port === '' ? 443 : port) : tlsPort;
  const place = frp && { port: frp.port, tlsPort: frp.isAtTlsPort ? publicTlsPort : undefined, isBehindProxy };
  const hasCertificate = async (host: string) => hasCertificateFile(host) || (await isCertified(db, host));
  return async (consoleHost) =>
    place && (await chooseFrpcAddress({ ...place, baseDomain, otherHost: tunnel.host ?? consoleHost, hasCertificate }));
}

/** The prefixes below the suffix that the console, the tunnel or frpc uses. */
function ownPrefixes(config: ServerConfig): Set<string> {
  const suffix = `.${config.baseDomain}`;
  const hosts = ownDomains(config).filter((host) => host.endsWith(suffix));
  return new Set(['frp', ...hosts.map((host) => host.slice(0, -suffix.length))]);
}

function serveOpenApi(app: App, version: string): void {
  let document: ReturnType<typeof buildOpenApi> | undefined; // few installations are ever asked for it
  app.get('/api/openapi.json', async (_req, reply) => {
    document ??= buildOpenApi(version);
    return await reply.header('cache-control', 'no-cache').send(document);
  });
}

async function listen(app: App, address: { host: string; port: number }): Promise<number> {
  try {
    await app.listen(address);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new StartError('listen.port-taken', String(address.port), { cause: error }) : error;
  }
  return (app.server.address() as AddressInfo).port; // it listens on TCP
}

/** Called after the API listens, because the authority checks answers that relays get from it. */
async function startCertificates(
  config: ServerConfig,
  acme: NonNullable<ServerConfig['acme']>,
  { db, listen }: OpenDb,
  log: Logger,
): Promise<AsyncDisposable> {
  const { baseDomain: suffix, publicUrl, consoleHosts, version, secrets } = config;
  const consoleNames = [suffix, new URL(publicUrl).hostname, ...consoleHosts];
  const planned = acme.ordersConsole
    ? planConsoleCertificates({ suffix, consoleNames, hasDns: acme.dns !== undefined })
    : [];
  return await startCertificateScheduler({ db, listen, log, acme, planned, version, sealingKey: secrets.sealingKey });
}

/** Waits for running calls, for DRAIN_MS at most. */
async function closeApp(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(timer);
}
