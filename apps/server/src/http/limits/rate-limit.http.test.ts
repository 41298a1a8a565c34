import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { countAgainst, countAgainstAll, findHits, deleteOldRateCounts, resetCount } from './rate-limit.ts';

const limit = { name: 'knock', key: 'li', max: 3, windowSeconds: 60 };
const perNetwork = { per: 'network', maxPerMinute: 3 } as const;

function register(app: FastifyInstance): void {
  const ok = async () => ({ ok: true });
  for (const path of ['/one', '/other/:id']) app.get(path, { config: { limit: perNetwork } }, ok);
  app.post('/one', { config: { limit: perNetwork } }, ok);
  app.get('/page', { config: { limit: perNetwork, allowsNavigation: true } }, ok);
}

const from = (ip: string) => ({ 'x-forwarded-for': ip });

test('server processes that share a database count one address together', async () => {
  await using t = await openTestDb();
  await using one = await openTestApp(t.db, register);
  await using other = await openTestApp(t.db, register);
  const call = async (app: typeof one) => (await app.browser().call('GET', '/one')).status;

  expect([await call(one), await call(other), await call(one)]).toEqual([200, 200, 200]);
  expect([await call(one), await call(other)]).toEqual([429, 429]);
});

test('of many concurrent calls to two processes exactly as many as allowed pass', async () => {
  await using t = await openTestDb();
  await using one = await openTestApp(t.db, register);
  await using other = await openTestApp(t.db, register);

  const calls = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).browser().call('GET', '/one'));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);

  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(17);
});

test('a refused call gets problem details with Retry-After', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  for (let i = 0; i < 3; i++) await app.browser().call('GET', '/one');
  await t.db
    .updateTable('rateCount')
    .set({ endsAt: new Date(Date.now() + 25_000) })
    .execute();

  const reply = await app.browser().call('GET', '/one');

  expect(reply).toMatchObject({ status: 429, body: { code: 'request.too-many' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(25);
});

test('a window that has ended does not count, and the next call begins another', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async () => (await app.browser().call('GET', '/one')).status;
  for (let i = 0; i < 4; i++) await call();
  await t.db
    .updateTable('rateCount')
    .set({ endsAt: new Date(Date.now() - 1000) })
    .execute();

  expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429]);
});

test('each path counts by itself, whatever its parameters', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async (path: string) => (await app.browser().call('GET', path)).status;
  for (let i = 0; i < 4; i++) await call('/one');

  expect([await call('/other/1'), await call('/other/2'), await call('/other/3')]).toEqual([200, 200, 200]);
  expect(await call('/other/4')).toBe(429);
});

test('HEAD counts like GET', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const head = async () => (await app.app.inject({ method: 'HEAD', url: '/one' })).statusCode;
  const get = async () => (await app.browser().call('GET', '/one')).status;

  expect([await head(), await get(), await head()]).toEqual([200, 200, 200]);
  expect([await get(), await head()]).toEqual([429, 429]);
});

test('a call over the limit is refused before its body arrives', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.address() as AddressInfo; // a TCP server has this kind of address
  for (let i = 0; i < 3; i++) await app.browser().call('POST', '/one', {});

  const headers = { 'content-type': 'application/json', 'content-length': '1000' };
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const half = request({ port, host: '127.0.0.1', method: 'POST', path: '/one', headers });
  half.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
  half.flushHeaders();

  expect(await promise).toBe(429);
  half.destroy();
});

const prefetch = { 'sec-purpose': 'prefetch', origin: undefined };
const crossSite = { origin: undefined, 'sec-fetch-site': 'cross-site' };

test.each([
  { 'sec-fetch-site': 'same-site', origin: undefined },
  { 'sec-fetch-site': 'cross-site', origin: undefined },
  { 'sec-fetch-site': undefined, origin: 'http://nas.localhost' },
  { 'sec-fetch-site': undefined, origin: undefined, referer: 'http://nas.localhost/' },
  { 'sec-fetch-site': 'none', ...prefetch },
  { 'sec-fetch-site': 'none', ...prefetch, 'sec-purpose': 'prefetch;prerender' },
  { 'sec-fetch-site': 'none', purpose: 'prefetch', origin: undefined },
  { 'sec-fetch-site': undefined, ...prefetch },
])('requests of another site’s page are refused and not counted: %o', async (headers) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  for (const method of ['GET', 'POST'] as const) {
    for (let i = 0; i < 4; i++) {
      expect(await app.browser().call(method, '/one', undefined, headers)).toMatchObject({
        status: 403,
        body: { code: 'request.cross-site' },
      });
    }
    expect((await app.browser().call(method, '/one')).status).toBe(200);
  }
});

test('requests of the console count also while the browser prerenders it', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const headers = { ...prefetch, 'sec-fetch-site': 'same-origin' };

  for (const method of ['GET', 'POST'] as const)
    expect((await app.browser().call(method, '/one', undefined, headers)).status).toBe(200);
});

test('a path that allows navigation is opened by a link of another site, but not by its requests in the background', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const open = async (mode: string, dest: string, others: Record<string, string | undefined> = {}) => {
    const headers = { ...crossSite, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, ...others };
    return (await app.browser().call('GET', '/page', undefined, headers)).status;
  };

  expect(await open('navigate', 'document')).toBe(200);
  expect(await open('navigate', 'iframe')).toBe(403);
  expect(await open('no-cors', 'image')).toBe(403);
  expect(await open('navigate', 'document', prefetch)).toBe(403);
  expect(await open('navigate', 'document', { ...prefetch, 'sec-fetch-site': 'none' })).toBe(403);
  expect(await t.db.selectFrom('rateCount').select('hits').execute()).toEqual([{ hits: 1 }]);
});

test('addresses of one IPv6 network count together, IPv4 addresses each', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async (ip: string) => (await app.browser().call('GET', '/one', undefined, from(ip))).status;

  for (const last of [1, 2, 3]) expect(await call(`2001:db8:1:2::${last}`)).toBe(200);
  expect(await call('2001:db8:1:2:ffff::4')).toBe(429);
  expect(await call('2001:db8:1:3::1')).toBe(200);
  for (const last of [1, 2, 3, 4]) expect(await call(`203.0.113.${last}`)).toBe(200);
});

test('a counter has a name and a key, and can be reset', async () => {
  await using t = await openTestDb();
  for (let i = 0; i < 3; i++) await countAgainst(t.db, limit);

  const refused = await countAgainst(t.db, limit).catch((error: unknown) => error);
  await countAgainst(t.db, { ...limit, key: 'another' });
  await countAgainst(t.db, { ...limit, name: 'another' });

  expect(refused).toMatchObject({ code: 'request.too-many' });
  const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThan(30);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  await expect(countAgainst(t.db, limit, 'code.too-often')).rejects.toMatchObject({ code: 'code.too-often' });
  await resetCount(t.db, limit);
  await countAgainst(t.db, limit);
});

test('a call that one of several limits refuses is counted in none of them', async () => {
  await using t = await openTestDb();
  const wide = { limit: { ...limit, name: 'wide', max: 100 }, code: 'code.daily-limit' } as const;
  const both = [wide, { limit, code: 'code.too-often' }] as const;
  for (let i = 0; i < 3; i++) await countAgainstAll(t.db, both);

  const refused = await Promise.allSettled(Array.from({ length: 5 }, async () => await countAgainstAll(t.db, both)));

  expect(refused).toEqual(
    Array.from({ length: 5 }, () => ({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'code.too-often', retryAfterSeconds: expect.any(Number) }),
    })),
  );
  expect([await findHits(t.db, wide.limit), await findHits(t.db, limit)]).toEqual([3, 3]);
});

test('the clean-up deletes ended windows only', async () => {
  await using t = await openTestDb();
  await countAgainst(t.db, { ...limit, key: 'over' });
  await t.db
    .updateTable('rateCount')
    .set({ endsAt: new Date(Date.now() - 1000) })
    .execute();
  await countAgainst(t.db, { ...limit, key: 'counting' });

  await deleteOldRateCounts(t.db);

  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([{ key: 'knock counting' }]);
});
