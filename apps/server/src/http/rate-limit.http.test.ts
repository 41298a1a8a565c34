import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDb } from '../db/open-test-db.ts';
import { openTestApp } from '../testing/open-test-app.ts';
import { countAgainst, deleteOldRateCounts, forgetCount, limitGroupOf } from './rate-limit.ts';

const limit = { name: 'knock', key: 'li', max: 3, windowSeconds: 60 };

function register(app: FastifyInstance): void {
  for (const path of ['/one', '/other/:id']) {
    app.get(path, { config: { rateLimit: { max: 3, timeWindow: '1 minute' } } }, async () => ({ ok: true }));
  }
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

test('of many calls at once to two processes exactly as many as allowed get through', async () => {
  await using t = await openTestDb();
  await using one = await openTestApp(t.db, register);
  await using other = await openTestApp(t.db, register);

  const calls = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).browser().call('GET', '/one'));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);

  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(17);
});

test('who is turned away is told when to come back, in problem details', async () => {
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

test('a window that is over counts no more, and begins anew with the next call', async () => {
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

test('addresses of one IPv6 network count together, IPv4 addresses each', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async (ip: string) => (await app.browser().call('GET', '/one', undefined, from(ip))).status;

  for (const last of [1, 2, 3]) expect(await call(`2001:db8:1:2::${last}`)).toBe(200);
  expect(await call('2001:db8:1:2:ffff::4')).toBe(429);
  expect(await call('2001:db8:1:3::1')).toBe(200);
  for (const last of [1, 2, 3, 4]) expect(await call(`203.0.113.${last}`)).toBe(200);
  expect(limitGroupOf('::ffff:203.0.113.7')).toBe(limitGroupOf('203.0.113.7'));
});

test('an account, a number or a path can be counted by name, and the count be forgotten', async () => {
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
  await forgetCount(t.db, limit);
  await countAgainst(t.db, limit);
});

test('what is counted no more is cleaned up, the rest stays', async () => {
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
