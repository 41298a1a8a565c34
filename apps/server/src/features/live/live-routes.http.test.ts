import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
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

/** Opens an event stream and reads its lines. */
async function openStream(port: number, browser: TestBrowser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/api/user/events/', headers: { cookie } }, resolve);
    call.on('error', reject).end();
  });
  const lines = linesOf(response);
  return {
    response,
    /** The next line that is not empty. Undefined when the stream has ended. */
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

test('a stream gets events of its user’s lists, not of other users’', async () => {
  await using t = await openTestDb();
  const [mine, other] = [await insertUser(t.db, 'li'), await insertUser(t.db, 'zhao')];
  await using server = await openServer(t);
  using stream = await openStream(server.port, await server.browserOf(mine));

  expect(stream.response.statusCode).toBe(200);
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(stream.response.headers).not.toHaveProperty('content-encoding');
  expect(await stream.next()).toBe('retry: 2000');
  await announceDeviceList(t.db, [other]);
  await t.pool.query(`select pg_notify('live', '{"userId":${mine},"topic":"announcements"}')`);
  await announceDeviceList(t.db, [mine]);

  expect(await stream.next()).toBe('data: {"topic":"announcements"}');
  expect(await stream.next()).toBe('data: {"topic":"devices"}');
});

test('a client without a login gets problem details', async () => {
  await using t = await openTestDb();
  await using server = await openServer(t);

  const reply = await server.browser().call('GET', '/api/user/events/');

  expect(reply).toMatchObject({ status: 401, body: { code: 'session.required' } });
});

test('the stream of an ended session is closed', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using ended = await openStream(server.port, await server.browserOf(userId));
  const hashes = await t.db.selectFrom('session').select('idHash').execute();
  using active = await openStream(server.port, await server.browserOf(userId));
  await Promise.all([ended.next(), active.next()]);

  for (const { idHash } of hashes) await t.db.deleteFrom('session').where('idHash', '=', idHash).execute();
  await server.streams.closeEndedSessions();

  expect(await ended.next()).toBeUndefined();
  await announceDeviceList(t.db, [userId]);
  expect(await active.next()).toBe('data: {"topic":"devices"}');
});

test('ending all other sessions closes their streams at once, but not the caller’s', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using own = await openStream(server.port, await server.browserOf(userId));
  const { idHash } = await t.db.selectFrom('session').select('idHash').executeTakeFirstOrThrow();
  using ended = await openStream(server.port, await server.browserOf(userId));
  await Promise.all([own.next(), ended.next()]);

  await t.db.transaction().execute(async (tx) => await endOtherSessions(tx, userId, idHash));

  expect(await ended.next()).toBeUndefined();
  await announceDeviceList(t.db, [userId]);
  expect(await own.next()).toBe('data: {"topic":"devices"}');
});

test('the stream of an expired session is closed', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using stream = await openStream(server.port, await server.browserOf(userId));
  await stream.next();

  await t.db
    .updateTable('session')
    .set({ expiresAt: new Date(0) })
    .execute();
  await server.streams.closeEndedSessions();

  expect(await stream.next()).toBeUndefined();
});

test('a user has 20 streams, and another one closes the oldest', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  const browser = await server.browserOf(userId);
  using oldest = await openStream(server.port, browser);
  using streams = new DisposableStack();
  for (let count = 1; count < 20; count++) streams.use(await openStream(server.port, browser));
  using youngest = await openStream(server.port, browser);

  expect(await oldest.next()).toBe('retry: 2000');
  expect(await oldest.next()).toBeUndefined();
  expect(await youngest.next()).toBe('retry: 2000');
});

test('after a lost notification connection streams get events of all lists', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using stream = await openStream(server.port, await server.browserOf(userId));
  await stream.next();

  await t.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tongtu-listen'`,
  );

  expect(await stream.next()).toBe('data: {"topic":"devices"}');
  expect(await stream.next()).toBe('data: {"topic":"announcements"}');
});

test('invalid notifications are ignored', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using server = await openServer(t);
  using stream = await openStream(server.port, await server.browserOf(userId));
  await stream.next();

  for (const payload of ['', '{', '{"userId":"1","topic":"devices"}', `{"userId":${userId},"topic":"secrets"}`]) {
    await t.pool.query(`select pg_notify('live', $1)`, [payload]);
  }
  await announceDeviceList(t.db, [userId]);

  expect(await stream.next()).toBe('data: {"topic":"devices"}');
});

test('a server that stops ends all streams', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  const server = await openServer(t);
  using stream = await openStream(server.port, await server.browserOf(userId));
  await stream.next();

  await server[Symbol.asyncDispose]();

  expect(await stream.next()).toBeUndefined();
});

test('an API token opens no stream, not even together with a session’s cookie', async () => {
  await using t = await openTestDb();
  await using server = await openServer(t);
  const id = await insertUser(t.db, 'li');
  const program = await openProgram({ db: t.db, app: server }, id, ['devices:read']);
  const browser = await server.browserOf(id);
  const wrong = { authorization: 'Bearer tt_api_wrong' };

  const path = '/api/user/events/';
  expect(await program.call('GET', path)).toMatchObject({ status: 403, body: { code: 'session.scope' } });
  expect(await browser.call('GET', path, undefined, wrong)).toMatchObject({
    status: 401,
    body: { code: 'api-token.invalid' },
  });
});
