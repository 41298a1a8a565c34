import { pino, type Logger } from 'pino';
import type { CloudApp, CloudAppMember, GatewayToServer, ProbeResult, ServerToGateway } from '@tongtu/contract';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp, type TestBrowser } from '../../../testing/apps/open-test-app.ts';
import type { DeviceChange } from '../../live/index.ts';
import { connectGateway, type GatewayLink, registerCloudAppRoutes } from '../index.ts';

export const appsPath = '/api/user/cloud_apps/';
export const offersPath = '/api/user/cloud_app_offers/';
export const sessionsPath = '/api/user/cloud_app_sessions/';
export const appSealingKey = Buffer.alloc(32, 5);

/** A device with its owner's browser, and another account. */
export async function openCloudApps() {
  await using parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const home = await insertHome(t.db);
  const sent: DeviceChange[] = [];
  const devices = fakeDevices();
  const app = parts.use(
    await openTestApp(t.db, (on) =>
      registerCloudAppRoutes(on, {
        db: t.db,
        sealingKey: appSealingKey,
        whenSentToRelays: async (change) => void sent.push(change),
        devices,
      }),
    ),
  );
  const owner = await app.browserOf(home.userId);
  const friendId = await insertUser(t.db, 'wang');
  const friend = await app.browserOf(friendId);
  const create = async (input: object = {}): Promise<CloudApp> => {
    const body = { router: home.deviceId, kind: 'ssh', name: '路由器', host: '192.168.1.1', ...input };
    return bodyOf<CloudApp>(await owner.call('POST', appsPath, body), 201);
  };
  const offer = async (appId: number, account = 'wang'): Promise<CloudAppMember> => {
    const reply = await owner.call('POST', `${appsPath}${appId}/members/`, { account });
    return bodyOf<CloudAppMember>(reply, 201);
  };
  /** Offers the app to the friend, who accepts it. */
  const addMember = async (appId: number): Promise<number> => {
    const { id } = await offer(appId);
    bodyOf(await friend.call('POST', `${offersPath}${id}/accept/`));
    return id;
  };
  const opened = parts.move();
  return {
    ...{ t, db: t.db, ...home, app, owner, friend, friendId, create, offer, addMember, sent, devices },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

/** Devices that answer as a test wants, and what they were asked. */
export function fakeDevices() {
  const done: ProbeResult = { ok: true, step: 'udp', ms: 1, seen: 'sent' };
  const woken: unknown[] = [];
  return {
    woken,
    isConnected: true,
    wakeResult: done as ProbeResult | undefined,
    probeResult: { ...done, step: 'tcp', seen: 'connected' } as ProbeResult | undefined,
    isConnectedTo(relayIds: readonly string[]) {
      return this.isConnected && relayIds.length > 0;
    },
    async wake(target: object) {
      woken.push(target);
      return this.wakeResult;
    },
    async probe() {
      return this.probeResult;
    },
  };
}

export type CloudApps = Awaited<ReturnType<typeof openCloudApps>>;

/** The reply's body. Throws if the call was answered otherwise. */
export function bodyOf<Body>(reply: { status: number; text: string; body: unknown }, status = 200): Body {
  if (reply.status !== status) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.body as Body;
}

/** Opens an app in this browser. */
export async function openSession(browser: TestBrowser, appId: number): Promise<{ id: number; token: string }> {
  const reply = await browser.call('POST', `${appsPath}${appId}/sessions/`);
  const { id } = bodyOf<{ id: number }>(reply, 201);
  return { id, token: /^app_session=[\w-]+\.\d+\.([\w-]+);/.exec(String(reply.headers['set-cookie']))?.[1] ?? '' };
}

export type TestGateway = AsyncDisposable & {
  link: GatewayLink;
  /** Everything that the server has sent. */
  sent: ServerToGateway[];
  open(session: { id: number; token: string }): Promise<Extract<ServerToGateway, { type: 'open_result' }>['result']>;
  report(message: GatewayToServer): void;
};

/** A gateway process as the server sees it. */
export function openGateway(
  { db }: CloudApps,
  { checkEveryMs = 20, log = pino({ level: 'silent' }) }: { checkEveryMs?: number; log?: Logger } = {},
): TestGateway {
  const sent: ServerToGateway[] = [];
  const answers = new Map<number, (result: Awaited<ReturnType<TestGateway['open']>>) => void>();
  const deps = { db, sealingKey: appSealingKey, log };
  const link = connectGateway(
    deps,
    (message) => {
      sent.push(message);
      if (message.type === 'open_result') answers.get(message.correlation)?.(message.result);
    },
    { checkEveryMs },
  );
  let correlation = 0;
  return {
    ...{ link, sent },
    async open({ id: sessionId, token }) {
      correlation++;
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<TestGateway['open']>>>();
      answers.set(correlation, resolve);
      link.onMessage({ type: 'open', correlation, sessionId, token });
      return await promise;
    },
    report: (message) => link.onMessage(message),
    [Symbol.asyncDispose]: async () => await link[Symbol.asyncDispose](),
  };
}
