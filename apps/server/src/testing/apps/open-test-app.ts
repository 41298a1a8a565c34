import type { FastifyInstance, HTTPMethods, InjectOptions } from 'fastify';
import { pino } from 'pino';
import type { Db } from '../../db/driver.ts';
import { findApiCaller } from '../../features/api-tokens/index.ts';
import { hasSecondFactor } from '../../features/second-factor/index.ts';
import { createSessionSource, setSessionCookie, startSession } from '../../features/sessions/index.ts';
import { createApp } from '../../http/create-app.ts';

type TestReply = { status: number; headers: Record<string, unknown>; text: string; body: unknown };

export type TestBrowser = {
  cookies: Map<string, string>;
  /** Sends the CSRF header and same-origin headers as the console does. `headers` overrides them; undefined removes one. */
  call(
    method: HTTPMethods,
    url: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<TestReply>;
};

export type TestApp = AsyncDisposable & {
  app: FastifyInstance;
  /** A browser without a login. */
  browser(): TestBrowser;
  /** A browser in which this user is logged in. */
  browserOf(userId: number): Promise<TestBrowser>;
};

export const testCsrfKey = Buffer.alloc(32, 7);

/** Opens the HTTP server with the routes under test. They are called without a socket. */
export async function openTestApp(
  db: Db,
  register: (app: FastifyInstance) => void | Promise<void>,
  {
    isHttps = false,
    ssoOrigin,
    billing = 'on',
  }: { isHttps?: boolean; ssoOrigin?: string; billing?: 'off' | 'on' } = {},
): Promise<TestApp> {
  const log = pino({ level: 'silent' });
  const sessions = { ...createSessionSource(db), findByToken: async (token: string) => await findApiCaller(db, token) };
  const guard = {
    sessions,
    csrfKey: testCsrfKey,
    billing,
    hasSecondFactor: async (userId: number) => await hasSecondFactor(db, userId),
  };
  const app = await createApp({ ...guard, log, db, isHttps, ssoOrigin });
  // A call without a socket is there as a whole, which the library that makes it does not say.
  app.addHook('onRequest', async ({ raw }) => {
    if (!('complete' in raw)) Object.assign(raw, { complete: true });
  });
  app.post<{ Params: { userId: string } }>('/test/session/:userId', async (req, reply) => {
    const start = async (tx: Db) => await startSession(tx, Number(req.params.userId), req);
    setSessionCookie({ csrfKey: testCsrfKey }, await db.transaction().execute(start), { req, reply });
    return {};
  });
  await register(app);
  await app.ready();
  return {
    app,
    browser: () => openBrowser(app),
    async browserOf(userId) {
      const browser = openBrowser(app);
      const { status, text } = await browser.call('POST', `/test/session/${userId}`);
      if (status !== 200) throw new Error(`no session for user ${userId}: ${text}`);
      return browser;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
    },
  };
}

/** Opens a browser without a login. */
export function openBrowser(app: FastifyInstance): TestBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call(method, url, body, headers = {}) {
      const reply = await app.inject(requestOf(cookies, { method, url, body, headers }));
      for (const { name, value, maxAge } of reply.cookies) {
        if (value === '' || maxAge === 0) cookies.delete(name);
        else cookies.set(name, value);
      }
      const isJson = String(reply.headers['content-type']).includes('json') && reply.body !== '';
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.body,
        body: isJson ? reply.json() : undefined,
      };
    },
  };
}

type PlannedRequest = {
  method: HTTPMethods;
  url: string;
  body: unknown;
  headers: Record<string, string | undefined>;
};

function requestOf(cookies: Map<string, string>, { method, url, body, headers }: PlannedRequest): InjectOptions {
  const sent: Record<string, string> = {};
  const planned = {
    host: 'localhost',
    origin: 'http://localhost',
    'sec-fetch-site': 'same-origin',
    'x-csrftoken': cookies.get(headers['x-forwarded-proto'] === 'https' ? '__Host-csrftoken' : 'csrftoken'),
    ...headers,
  };
  for (const [name, value] of Object.entries(planned)) if (value !== undefined) sent[name] = value;
  const payload = body === undefined ? {} : { payload: body as object }; // inject takes objects, strings and buffers
  return { method, url, headers: sent, cookies: Object.fromEntries(cookies), ...payload };
}
