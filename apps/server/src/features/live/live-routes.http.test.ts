import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openProgram } from '../../testing/open-program.ts';
import { openTestApp, type TestBrowser } from '../../testing/open-test-app.ts';
import { endOtherSessions } from '../sessions/index.ts';
import { announceDeviceList } from './announce.ts';
import { registerLiveRoutes } from './live-routes.ts';
import { LiveStreams } from './live-streams.ts';

async function openServer(t: TestDb) {
  await using parts = new AsyncDisposableStack();
  const streams = await LiveStreams.start({ db: t.db, listen: t.listen, log: pino({ level: 'silent' }) });
  const test = parts.use(await openTestApp(t.db, (app) => registerLiveRoutes(app, { streams })));
  parts.use(streams);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  const running = parts.move();
  return {
    streams,
    port,
    browser: () => test.browser(),
    browserOf: async (userId: number) => await test.browserOf(userId),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

/** An open page: its lines, one after another. */
async function openPage(port: number, browser: TestBrowser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/api/user/events/', headers: { cookie } }, resolve);
    call.on('error', reject).end();
  });
  const lines = linesOf(response);
  return {
    response,
    /** The next line with something on it; undefined when the stream has ended. */
    next: async () => (await lines.next()).value as string | undefined,
    [Symbol.dispose]: () => void response.destroy(),
  };
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

test('a page hears at once which list of its user changed, and nothing of others', async () => {
  await using t = await openTestDb();
  const [mine, other] = [await insertUser(t.db, 'li'), await insertUser(t.db, 'zhao')];
  await using server = await openServer(t);
  using page = await openPage(server.port, await server.browserOf(mine));

  expect(page.response.statusCode).toBe(200);
  expect(page.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(page.response.headers).not.toHaveProperty('content-encoding');
  expect(await page.next()).toBe('retry: 2000');
  await announceDeviceList(t.db, [other]);
  await t.pool.query(`select pg_notify('live', '{"userId":${mine},"topic":"announcements"}')`);
  await announceDeviceList(t.db, [mine]);

  expect(await page.next()).toBe('data: {"topic":"announcements"}');
  expect(await page.next()).toBe('data: {"topic":"devices"}');
});

test('who is not logged in gets problem details, no stream', async () => {
  await using t = await openTestDb();
  await using server = await openServer(t);

  const reply = await server.browser().call('GET', '/api/user/events/');

  expect(reply).toMatchObject({ status: 401, body: { code: 'session.required' } });
});

test('a page whose session ended hears nothing more', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using ended = await openPage(server.port, await server.browserOf(userId));
  const hashes = await t.db.selectFrom('session').select('idHash').execute();
  using living = await openPage(server.port, await server.browserOf(userId));
  await Promise.all([ended.next(), living.next()]);

  for (const { idHash } of hashes) await t.db.deleteFrom('session').where('idHash', '=', idHash).execute();
  await server.streams.closeEndedSessions();

  expect(await ended.next()).toBeUndefined();
  await announceDeviceList(t.db, [userId]);
  expect(await living.next()).toBe('data: {"topic":"devices"}');
});

test('when all other logins are ended their pages go at once, and one’s own stays', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using own = await openPage(server.port, await server.browserOf(userId));
  const { idHash } = await t.db.selectFrom('session').select('idHash').executeTakeFirstOrThrow();
  using lost = await openPage(server.port, await server.browserOf(userId));
  await Promise.all([own.next(), lost.next()]);

  await t.db.transaction().execute(async (tx) => await endOtherSessions(tx, userId, idHash));

  expect(await lost.next()).toBeUndefined();
  await announceDeviceList(t.db, [userId]);
  expect(await own.next()).toBe('data: {"topic":"devices"}');
});

test('an expired session is an ended one', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using page = await openPage(server.port, await server.browserOf(userId));
  await page.next();

  await t.db
    .updateTable('session')
    .set({ expiresAt: new Date(0) })
    .execute();
  await server.streams.closeEndedSessions();

  expect(await page.next()).toBeUndefined();
});

test('a user has 20 open pages; one more closes the oldest', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  const browser = await server.browserOf(userId);
  using oldest = await openPage(server.port, browser);
  using pages = new DisposableStack();
  for (let count = 1; count < 20; count++) pages.use(await openPage(server.port, browser));
  using youngest = await openPage(server.port, browser);

  expect(await oldest.next()).toBe('retry: 2000');
  expect(await oldest.next()).toBeUndefined();
  expect(await youngest.next()).toBe('retry: 2000');
});

test('after a lost notification connection pages reload everything', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using page = await openPage(server.port, await server.browserOf(userId));
  await page.next();

  await t.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tongtu-listen'`,
  );

  expect(await page.next()).toBe('data: {"topic":"devices"}');
  expect(await page.next()).toBe('data: {"topic":"announcements"}');
});

test('rubbish on the channel harms nothing', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using page = await openPage(server.port, await server.browserOf(userId));
  await page.next();

  for (const rubbish of ['', '{', '{"userId":"1","topic":"devices"}', `{"userId":${userId},"topic":"secrets"}`]) {
    await t.pool.query(`select pg_notify('live', $1)`, [rubbish]);
  }
  await announceDeviceList(t.db, [userId]);

  expect(await page.next()).toBe('data: {"topic":"devices"}');
});

test('a server that stops ends its streams', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  const server = await openServer(t);
  using page = await openPage(server.port, await server.browserOf(userId));
  await page.next();

  await server[Symbol.asyncDispose]();

  expect(await page.next()).toBeUndefined();
});

test('a program’s token opens no stream, not even beside the cookie of a page', async () => {
  await using t = await openTestDb();
  await using server = await openServer(t);
  const id = await insertUser(t.db, 'li');
  const program = await openProgram({ db: t.db, app: server }, id, ['devices:read']);
  const page = await server.browserOf(id);
  const wrong = { authorization: 'Bearer tt_api_wrong' };

  const path = '/api/user/events/';
  expect(await program.call('GET', path)).toMatchObject({ status: 403, body: { code: 'session.scope' } });
  expect(await page.call('GET', path, undefined, wrong)).toMatchObject({
    status: 401,
    body: { code: 'api-token.invalid' },
  });
});
