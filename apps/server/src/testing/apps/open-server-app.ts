import diagnostics from 'node:diagnostics_channel';
import { must } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { TestDb } from '../../db/open-test-db.ts';
import { startServer } from '../../start-server.ts';
import { openBrowser, type TestBrowser } from './open-test-app.ts';
import { insertAccount, testKeys, testPassword } from './open-account-app.ts';
import { makeServerFiles, testServerConfig } from './server-files.ts';

export type ServerApp = AsyncDisposable & {
  port: number;
  browser(): TestBrowser;
  /** A browser in which a new superuser is logged in. */
  staffBrowser(): Promise<TestBrowser>;
  /** A browser in which an account with `testPassword` is logged in. */
  browserOf(username: string): Promise<TestBrowser>;
};

/** Starts a server with billing whose calls can be made without a socket. */
export async function openServerApp(t: TestDb): Promise<ServerApp> {
  await using parts = new AsyncDisposableStack();
  const { dir } = parts.use(await makeServerFiles());
  const base = testServerConfig(dir, { url: t.url });
  const config = { ...base, billing: 'on' as const, secrets: { ...base.secrets, sealingKey: testKeys.sealingKey } };
  const apps: FastifyInstance[] = [];
  const listen = (message: unknown) => {
    apps.push((message as { fastify: FastifyInstance }).fastify); // as Fastify documents its channel
  };
  diagnostics.subscribe('fastify.initialization', listen);
  const { port } = parts.use(await startServer(config, pino({ level: 'silent' })));
  diagnostics.unsubscribe('fastify.initialization', listen);
  const app = must(apps[0], 'the app of the server');
  const running = parts.move();
  const browserOf = async (username: string): Promise<TestBrowser> => {
    const browser = openBrowser(app);
    await browser.call('GET', '/api/login_status/');
    const { status } = await browser.call('POST', '/custom/login/', { account: username, password: testPassword });
    if (status !== 200) throw new Error('the login failed');
    return browser;
  };
  return {
    port,
    browser: () => openBrowser(app),
    browserOf,
    async staffBrowser() {
      await insertAccount(t.db, { username: 'staff', isSuperuser: true });
      return await browserOf('staff');
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}
