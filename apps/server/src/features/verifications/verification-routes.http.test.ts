import type { VerificationRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerVerificationRoutes } from './verification-routes.ts';

const verifications = '/api/user/verifications/';
const placeOf = (ip: string): string => (ip === '203.0.113.9' ? '四川成都' : '');

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerVerificationRoutes(app, { db, placeOf }));
}

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0';

/** Inserts a user with one device and two mappings: HTTP and TCP. */
async function insertNas(db: Db, username?: string) {
  const home = await insertHome(db, username);
  const webId = await insertMapping(db, { ...home, prefix: `nas-${home.userId}` });
  const sshId = await insertMapping(db, { ...home, kind: 'tcp', port: 20_000 + home.userId });
  return { ...home, webId, sshId };
}

/** Verifies an address, which the relay passes on in x-forwarded-for. */
async function verify(browser: TestBrowser, mappingId: number, ip = '203.0.113.9') {
  const headers = { 'x-forwarded-for': ip, 'user-agent': firefox };
  return await browser.call('POST', `/api/user/records/${mappingId}/verified_ip/`, undefined, headers);
}

async function list(browser: TestBrowser, query = '') {
  const reply = await browser.call('GET', `${verifications}${query}`);
  expect(reply.status).toBe(200);
  return reply.body as { count: number; next: string | null; previous: string | null; results: VerificationRecord[] };
}

async function secondsLeft(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('verification')
    .select(sql<number>`round(extract(epoch from expires_at - now()))::integer`.as('seconds'))
    .execute();
  return rows.map((row) => row.seconds);
}

test('an owner verifies their current address for 48 hours, and relays and consoles are notified', async () => {
  await using t = await openTestDb();
  const { userId, deviceId, sshId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const received: string[] = [];
  const both = Promise.withResolvers<void>();
  const receive = (payload: string): void => void (received.push(payload) === 2 && both.resolve());
  await t.listen('device_changed', receive, () => undefined);
  await t.listen('live', receive, () => undefined);

  const reply = await verify(browser, sshId);

  const record = {
    id: expect.any(Number),
    mapping: sshId,
    mapping_deleted: false,
    router: deviceId,
    router_deleted: false,
    router_name: 'NAS',
    kind: 'ip',
    granted_by: 'own_address',
    who: '',
    place: '四川成都',
    host: 'localhost',
    port: 20_000 + userId,
    ip: '203.0.113.9',
    user_agent: firefox,
    browser: 'Firefox · macOS',
    created_at: expect.any(String),
    expires_at: expect.any(String),
    revoked_at: null,
  };
  expect(reply).toMatchObject({ status: 200, body: record });
  expect(await list(browser)).toEqual({ count: 1, next: null, previous: null, results: [record] });
  const { created_at: from, expires_at: until } = reply.body as VerificationRecord;
  expect(Math.round((Date.parse(until) - Date.parse(from)) / 3_600_000)).toBe(48);
  await both.promise;
  expect(received.map((payload) => JSON.parse(payload))).toEqual(
    expect.arrayContaining([
      { deviceId, version: expect.any(String) },
      { userId, topic: 'devices' },
    ]),
  );
});

test('current_ip returns the caller’s address in canonical form', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const call = async (ip: string) =>
    await browser.call('GET', '/api/user/current_ip/', undefined, { 'x-forwarded-for': ip });
  expect(await call('203.0.113.9')).toMatchObject({ status: 200, body: { ip: '203.0.113.9' } });
  expect(await call('::ffff:203.0.113.9')).toMatchObject({ body: { ip: '203.0.113.9' } });
  expect(await call('2001:DB8:0::7')).toMatchObject({ body: { ip: '2001:db8::7' } });
  expect((await app.browser().call('GET', '/api/user/current_ip/')).status).toBe(401);
});

test('an owner sees which mappings their network may open, and nobody else does', async () => {
  await using t = await openTestDb();
  const { userId, sshId, webId } = await insertNas(t.db);
  const other = await insertNas(t.db, 'other');
  await using app = await openApp(t.db);
  const [owner, otherOwner] = [await app.browserOf(userId), await app.browserOf(other.userId)];
  const ask = async (browser: TestBrowser, ip = '203.0.113.9') =>
    await browser.call('GET', '/api/user/current_network/', undefined, { 'x-forwarded-for': ip });
  const { id, expires_at } = (await verify(owner, sshId)).body as VerificationRecord;
  await verify(owner, webId, '203.0.113.10');

  expect((await ask(owner)).body).toEqual({
    ip: '203.0.113.9',
    allowed: [{ mapping: sshId, verification: id, expires_at }],
  });
  expect((await ask(otherOwner)).body).toEqual({ ip: '203.0.113.9', allowed: [] });
  await owner.call('DELETE', `${verifications}${id}/`);
  expect((await ask(owner)).body).toEqual({ ip: '203.0.113.9', allowed: [] });
  expect((await ask(app.browser())).status).toBe(401);
});

test('verifying the same address again, in any spelling, extends its verification', async () => {
  await using t = await openTestDb();
  const { userId, webId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  await verify(browser, webId);
  await t.db
    .updateTable('verification')
    .set({ expiresAt: sql<Date>`now() + interval '1 minute'` })
    .execute();

  const replies = await Promise.all(
    Array.from({ length: 25 }, (_, n) => verify(browser, webId, n % 2 ? '::ffff:203.0.113.9' : '203.0.113.9')),
  );

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const [seconds, ...others] = await secondsLeft(t.db);
  expect(others).toEqual([]);
  expect(seconds).toBeGreaterThan(47.9 * 3600);
});

test('an IPv6 address is stored in canonical form, without its zone', async () => {
  await using t = await openTestDb();
  const { userId, webId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  expect((await verify(browser, webId, '2001:DB8:0:0::0:9')).body).toMatchObject({ ip: '2001:db8::9' });
  expect((await verify(browser, webId, 'fe80::1%eth0')).body).toMatchObject({ ip: 'fe80::1' });
});

test('an address whose verification is revoked or expired gets another one', async () => {
  await using t = await openTestDb();
  const { userId, webId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const first = (await verify(browser, webId)).body as VerificationRecord;
  await browser.call('DELETE', `${verifications}${first.id}/`);

  const second = (await verify(browser, webId)).body as VerificationRecord;
  await t.db
    .updateTable('verification')
    .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', second.id)
    .execute();
  const third = (await verify(browser, webId)).body as VerificationRecord;

  const { results } = await list(browser);
  expect(results.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  expect(results.map((record) => record.revoked_at !== null)).toEqual([false, false, true]);
});

test('a user verifies 20 new addresses a day, then gets Retry-After, and can still extend verified ones', async () => {
  await using t = await openTestDb();
  const { userId, webId, sshId } = await insertNas(t.db);
  const otherUser = await insertNas(t.db, 'zhao');
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  await verify(browser, sshId, '198.51.100.1');
  await t.db
    .updateTable('verification')
    .set({ createdAt: sql<Date>`now() - interval '23 hours 59 minutes'` } as never) // the type does not allow to set it
    .execute();

  const replies = await Promise.all(
    Array.from({ length: 22 }, (_, n) => verify(browser, n % 2 ? webId : sshId, `203.0.113.${n + 1}`)),
  );

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
  const refused = replies.find(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 429, body: { code: 'gate.verified-ip-limit' } });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await verify(browser, sshId, '198.51.100.1')).status).toBe(200);
  expect((await verify(await app.browserOf(otherUser.userId), otherUser.webId)).status).toBe(200);
});

test('records are listed by mapping and page, newest first', async () => {
  await using t = await openTestDb();
  const { userId, webId, sshId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  for (const n of [1, 2, 3]) await verify(browser, webId, `203.0.113.${n}`);
  await verify(browser, sshId, '203.0.113.4');
  const ips = ({ results }: { results: VerificationRecord[] }): string[] => results.map(({ ip }) => ip);

  const first = await list(browser, `?mapping=${webId}&limit=2`);
  const second = await list(browser, `?mapping=${webId}&limit=2&offset=2`);

  expect(ips(await list(browser))).toEqual(['203.0.113.4', '203.0.113.3', '203.0.113.2', '203.0.113.1']);
  expect(ips(first)).toEqual(['203.0.113.3', '203.0.113.2']);
  expect(first).toMatchObject({
    count: 3,
    previous: null,
    next: `${verifications}?limit=2&offset=2&mapping=${webId}`,
  });
  expect(ips(second)).toEqual(['203.0.113.1']);
  expect(second).toMatchObject({ next: null, previous: `${verifications}?limit=2&offset=0&mapping=${webId}` });
});

test('a browser’s verification is listed and revoked like an address’s, and revoking it again changes nothing', async () => {
  await using t = await openTestDb();
  const { userId, deviceId, webId } = await insertNas(t.db);
  const in48Hours = sql<Date>`now() + interval '48 hours'`;
  const place = { ownerId: userId, deviceId, mappingId: webId, host: 'nas.localhost' };
  const proof = { ...place, userId, visitorIp: '198.51.100.7', userAgent: 'Safari' };
  await t.db
    .insertInto('verification')
    .values({ ...proof, expiresAt: in48Hours, cookieExpiresAt: in48Hours })
    .execute();
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const [record] = (await list(browser)).results;
  expect(record).toMatchObject({
    kind: 'cookie',
    host: 'nas.localhost',
    port: null,
    user_agent: 'Safari',
    browser: '未知的浏览器或程序',
  });
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  const ended = await browser.call('DELETE', `${verifications}${record?.id}/`);
  const [after] = (await list(browser)).results;
  const again = await browser.call('DELETE', `${verifications}${record?.id}/`);

  expect(ended).toMatchObject({ status: 200, body: { ok: true } });
  expect(after?.revoked_at).toEqual(expect.any(String));
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId });
  expect(again.status).toBe(200);
  expect((await list(browser)).results).toEqual([after]);
});

test("another user's mappings and records are answered like unknown ones", async () => {
  await using t = await openTestDb();
  const { userId, sshId } = await insertNas(t.db);
  const otherUserId = await insertUser(t.db, 'zhao');
  await using app = await openApp(t.db);
  const { id } = (await verify(await app.browserOf(userId), sshId)).body as VerificationRecord;
  const browser = await app.browserOf(otherUserId);

  expect((await list(browser)).results).toEqual([]);
  for (const mapping of [sshId, 999_999]) {
    expect(await verify(browser, mapping)).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
    expect(await browser.call('GET', `${verifications}?mapping=${mapping}`)).toMatchObject({
      status: 404,
      body: { code: 'mapping.not-found' },
    });
  }
  for (const record of [id, 999_999, 'abc', '2147483648']) {
    expect(await browser.call('DELETE', `${verifications}${record}/`)).toMatchObject({
      status: 404,
      body: { code: 'verification.not-found' },
    });
  }
  expect(await t.db.selectFrom('verification').select(['id', 'revokedAt']).execute()).toEqual([
    { id, revokedAt: null },
  ]);
});

test('nothing is listed or changed without a login or the CSRF header', async () => {
  await using t = await openTestDb();
  const { userId, webId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const owner = await app.browserOf(userId);
  const { id } = (await verify(owner, webId)).body as VerificationRecord;
  const verifiedIp = `/api/user/records/${webId}/verified_ip/`;

  expect((await app.browser().call('GET', verifications)).status).toBe(401);
  for (const [method, url] of [
    ['POST', verifiedIp],
    ['DELETE', `${verifications}${id}/`],
  ] as const) {
    expect(await app.browser().call(method, url)).toMatchObject({ status: 401, body: { code: 'session.required' } });
    const forged = await owner.call(method, url, undefined, { 'x-csrftoken': undefined });
    expect(forged).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  }
  expect((await list(owner)).results).toMatchObject([{ id, revoked_at: null }]);
});

test.each(['?mapping=x', '?mapping=0', '?limit=501', '?mapping=2147483648'])('%s is refused', async (query) => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using app = await openApp(t.db);

  expect(await (await app.browserOf(userId)).call('GET', `${verifications}${query}`)).toMatchObject({
    status: 422,
    body: { code: 'request.invalid' },
  });
});
