import type { AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import { runCleanUp } from './clean-up.ts';
import { openDb, type Db, type OpenDb } from './db/driver.ts';
import { migrate } from './db/migrate.ts';
import { deriveKey } from './derive-key.ts';
import { registerAgentDownloads } from './features/agent-downloads/index.ts';
import { publishDue, registerAnnouncementRoutes } from './features/announcements/index.ts';
import { findApiCaller } from './features/api-tokens/index.ts';
import { registerBindingRoutes, useBinding } from './features/bindings/index.ts';
import { isCertified, keepCertificates, planConsoleCertificates } from './features/certificates/index.ts';
import { enrolDevice, registerDeviceRoutes, resolveName } from './features/devices/index.ts';
import { registerEnrolmentKeyRoutes, useEnrolmentKey } from './features/enrolment-keys/index.ts';
import { ensureWelcomeMapping } from './features/first-start/index.ts';
import { redeemTicket, registerGateRoutes } from './features/gate/index.ts';
import { doFirstStart, findFirstAdminId, isKeyOfDatabase, moveOnlyServer } from './features/installation/index.ts';
import { LiveStreams, registerLiveRoutes } from './features/live/index.ts';
import { createTxtResolver, placeOfHost, registerMappingRoutes } from './features/mappings/index.ts';
import { placeOf } from './features/places/index.ts';
import { registerRelayControl, RelayHub } from './features/relays/index.ts';
import { hasSecondFactor, turnOffSecondFactor } from './features/second-factor/index.ts';
import { registerServerRoutes } from './features/servers/index.ts';
import { createSessionSource } from './features/sessions/index.ts';
import { registerSiteRoutes } from './features/site/index.ts';
import { markClient, registerSharingRoutes } from './features/sharing/index.ts';
import {
  findTokenOwner,
  hashQueued,
  readAccountToken,
  resetPassword,
  useTokenSign,
  verifyPassword,
} from './features/users/index.ts';
import { markGroundsRevoked, registerVerificationRoutes } from './features/verifications/index.ts';
import { createApp, type App } from './http/create-app.ts';
import { serveOpenApi } from './http/open-api-routes.ts';
import { servePage } from './http/page.ts';
import { runEvery } from './jobs/run-every.ts';
import { registerAccountFeatures } from './register-account-features.ts';
import type { ServerConfig } from './server-config.ts';
import { StartError } from './start-error.ts';

export type RunningServer = AsyncDisposable & {
  port: number;
  isFirstStart: boolean;
  /** Gives the first account another password, without a second factor, and ends its sessions. Returns its name. */
  resetAdminPassword(password: string): Promise<string>;
  /** Account token of the first account, for the agent on this machine. */
  localAgentToken(): Promise<string>;
  /** Ends the event streams of open pages, before a stop waits for the calls that are open. */
  letPagesGo(): void;
  /** Public address of the page that this machine's agent serves; undefined when the owner deleted it. */
  ensureWelcomeMapping(input: { deviceUid: string; targetPort: number }): Promise<string | undefined>;
};

const PUBLISH_EVERY_MS = 15_000;
const DRAIN_MS = 2_000;

/** Starts the API with its database. Resolves when calls are answered. Throws StartError for what the operator can mend. */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  await using parts = new AsyncDisposableStack();
  const open = parts.use(await openDb(config.database, log));
  const { db } = open;
  await migrate(db);
  const { sealingKey } = config.secrets;
  if (!(await isKeyOfDatabase(db, sealingKey))) throw new StartError('secrets.other', '');
  const isFirstStart = await doFirstStart(db, { ...config, sealingKey });
  if (await moveOnlyServer(db, config.baseDomain))
    log.warn({ baseDomain: config.baseDomain }, 'mappings moved to the configured domain');

  const csrfKey = deriveKey(sealingKey, 'csrf');
  const isHttps = config.publicUrl.startsWith('https:');
  const sessions = { ...createSessionSource(db), findByToken: async (token: string) => await findApiCaller(db, token) };
  const guard = { sessions, csrfKey, hasSecondFactor: async (userId: number) => await hasSecondFactor(db, userId) };
  const ssoOrigin = config.wechat?.type === 'other-host' ? new URL(config.wechat.url).origin : undefined;
  const app = await createApp({ ...guard, log, db, isHttps, ssoOrigin });
  parts.defer(() => closeApp(app));
  const { streams, endSsoWaits } = await registerFeatures(app, { config, open, csrfKey, log, parts });
  const port = await listen(app, config.listen);
  if (config.acme) parts.use(await startCertificates(config, config.acme, open, log));
  parts.use(runEvery({ name: 'publish announcements', everyMs: PUBLISH_EVERY_MS, run: () => publishDue(db) }, log));
  parts.use(runCleanUp(db, log));

  const running = parts.move();
  return {
    port,
    isFirstStart,
    resetAdminPassword: async (password) => {
      const adminId = await getFirstAdminId(db);
      await turnOffSecondFactor(db, adminId); // whoever has the machine may have lost the phone, too
      return await resetPassword(db, adminId, password);
    },
    localAgentToken: async () => await readAccountToken(db, sealingKey, await getFirstAdminId(db)),
    letPagesGo: () => {
      streams.endAll();
      endSsoWaits();
    },
    ensureWelcomeMapping: async (input) => await ensureWelcomeMapping({ ...config, db }, input),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

async function getFirstAdminId(db: Db): Promise<number> {
  return must(await findFirstAdminId(db), 'the first account');
}

type Composition = { config: ServerConfig; open: OpenDb; csrfKey: Buffer; log: Logger; parts: AsyncDisposableStack };

/** Every feature, with what it is allowed to use. */
async function registerFeatures(
  app: App,
  { config, open, csrfKey, log, parts }: Composition,
): Promise<{ streams: LiveStreams; endSsoWaits: () => void }> {
  const { db, listen } = open;
  const { publicUrl, version } = config;
  const { sealingKey, gateKey, relaySecret } = config.secrets;
  serveOpenApi(app, { version });
  const { endSsoWaits } = await registerAccountFeatures(app, { config, open, csrfKey, log, parts });
  registerAnnouncementRoutes(app, { db });
  registerSiteRoutes(app, config);
  registerAgentDownloads(app, { ...config, tunnel: { ...config.tunnel, protocol: PROTOCOL_VERSION } });

  registerBindingRoutes(app, { db, placeOf });

  registerEnrolmentKeyRoutes(app, { db });

  const claimToken = async (tx: Db, token: string, publicKey: string) => {
    const key = await useEnrolmentKey(tx, token);
    if (key) return key;
    const userId =
      (await findTokenOwner(tx, token)) ?? (await useTokenSign(tx, token)) ?? (await useBinding(tx, token, publicKey));
    return userId === undefined ? undefined : { userId };
  };
  const hub = parts.use(
    await RelayHub.start({
      db,
      listen,
      log,
      gateKey,
      sealingKey,
      consoleUrl: publicUrl,
      homeSuffix: config.baseDomain,
      defaultBandwidthBps: config.defaultBandwidthBps,
      enrol: async (enrolment) => await enrolDevice({ db, claimToken }, enrolment),
      redeem: async (redemption) => await redeemTicket(db, redemption),
      mark: async (client) => await markClient(db, client),
    }),
  );
  registerRelayControl(app, { hub, relaySecret });
  const probe = hub.probe.bind(hub);
  registerDeviceRoutes(app, { ...config, db, probe, resolveName, monotonicMs: () => performance.now() });
  registerMappingRoutes(app, {
    ...config,
    db,
    ownPrefixes: ownPrefixes(config),
    ownDomains: ownDomains(config),
    domainProofKey: deriveKey(sealingKey, 'domain proof'),
    hashPassword: hashQueued,
    endPasswordProofs: async (tx, mappingId) => await markGroundsRevoked(tx, { mappingId, grantedBy: 'password' }),
    resolveTxt: createTxtResolver(),
    whenSentToRelays: async (change) => await hub.whenSent(change),
  });
  registerServerRoutes(app, { db });
  const hasCertificate = certificateTest(db, config);
  registerGateRoutes(app, { ...config, db, hasCertificate, verifyPassword, wallClockMs: Date.now });
  registerVerificationRoutes(app, { db, placeOf });
  registerSharingRoutes(app, { ...config, db, sealingKey, phoneRegions: config.messages.phoneRegions });
  const streams = parts.use(await LiveStreams.start({ db, listen, log }));
  registerLiveRoutes(app, { streams });

  await servePage(app, config.webRoot);
  return { streams, endSsoWaits };
}

/** Whether browsers are shown an authority's certificate for a mapping's name, as far as can be known here. */
function certificateTest(db: Db, { hasCertificateFile, isBehindProxy, publicUrl }: ServerConfig) {
  // With PUBLIC_URL the operator says by what scheme the addresses below the suffix are reached; what a proxy shows there
  // is not seen from here. Of users' own domains it says nothing.
  const isProxysAffair = isBehindProxy && publicUrl.startsWith('https:');
  return async (host: string): Promise<boolean> => {
    if (hasCertificateFile(host) || (await isCertified(db, host))) return true;
    return isProxysAffair && (await placeOfHost(db, host)) === 'below_suffix';
  };
}

/** The names of the console, and the one that agents connect to. */
function ownDomains({ publicUrl, consoleHosts, tunnel }: ServerConfig): string[] {
  const names = [new URL(publicUrl).hostname, ...consoleHosts];
  return tunnel.host === undefined ? names : [...names, tunnel.host];
}

/** The first labels of these names that a mapping of this region could take. */
function ownPrefixes(config: ServerConfig): Set<string> {
  const suffix = `.${config.baseDomain}`;
  const hosts = ownDomains(config).filter((host) => host.endsWith(suffix));
  return new Set(hosts.map((host) => host.slice(0, -suffix.length)));
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

/** After the relays can be told: their answers are what the authority looks at. */
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
  return await keepCertificates({ db, listen, log, acme, planned, version, sealingKey: secrets.sealingKey });
}

/** Lets calls that are running finish, but not for ever. */
async function closeApp(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(timer);
}
