import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import {
  APP_HANDLE_BYTES,
  appCookieValue,
  appPath,
  cloudAppKinds,
  type GatewaySession,
  type GatewayToServer,
} from '@tongtu/contract';
import { pino } from 'pino';
import WebSocket from 'ws';
import type { GatewayLimits } from '../config/gateway-limits.ts';
import type { AppHandler, AppHandlers } from '../http/app-handlers.ts';
import { startGateway } from '../start-gateway.ts';

const testSession: GatewaySession = {
  ...{ sessionId: 5, appId: 7, kind: 'ssh', host: '192.168.1.10', port: 22 },
  options: {
    username: '',
    domain: '',
    path: '',
    encoding: 'utf-8',
    name_encoding: 'auto',
    tls: false,
    mac: '',
    old_algorithms: false,
  },
  ...{ secrets: {}, hostKey: null, accountId: 1, ownerId: 1, isOwner: true, visitorAddress: '198.51.100.7' },
};

/** A gateway with a server of one session, and requests of the console's pages. */
export async function startTestGateway(
  handler: AppHandler,
  { limits = {}, session = testSession }: { limits?: Partial<GatewayLimits>; session?: GatewaySession } = {},
) {
  let token = randomBytes(32).toString('base64url');
  const handle = randomBytes(APP_HANDLE_BYTES).toString('base64url');
  const sent: GatewayToServer[] = [];
  let result: { ok: true; session: GatewaySession } | { ok: false; reason: 'right-ended' | null } = {
    ok: true,
    session,
  };
  const handlers = Object.fromEntries(cloudAppKinds.map((kind) => [kind, handler])) as AppHandlers; // every kind
  const gateway = startGateway(
    {
      gatewaySecret: 's',
      limits,
      send: (message) => {
        sent.push(message);
        if (message.type !== 'open') return;
        const isRight = message.token === token && message.sessionId === session.sessionId;
        const { correlation } = message;
        const answer = isRight ? result : ({ ok: false, reason: null } as const);
        setImmediate(() => gateway.onServerMessage({ type: 'open_result', correlation, result: answer }));
      },
    },
    handlers,
    pino({ level: 'silent' }),
  );
  const listener = createServer({ pauseOnConnect: true }, (socket) => gateway.accept(socket));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  const browserOf = (tokenOfIt: string) => ({
    origin,
    cookie: `a=b; app_session=${appCookieValue({ handle, sessionId: session.sessionId, token: tokenOfIt })}; c=d`,
  });
  const browser = browserOf(token);
  return {
    gateway,
    sent,
    handle,
    browser,
    /** The browser after the session was opened again, which has another token. */
    openAgain: () => {
      token = randomBytes(32).toString('base64url');
      return browserOf(token);
    },
    /** What the server answers from now on. */
    answerWith: (answer: typeof result) => {
      result = answer;
    },
    request: async (path: string, headers: Record<string, string> = browser, method = 'GET') =>
      await fetch(`${origin}${appPath(handle)}${path}`, { method, headers }),
    open: (path: string, headers: Record<string, string> = browser) =>
      new WebSocket(`ws://127.0.0.1:${port}${appPath(handle)}${path}`, { headers }),
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
