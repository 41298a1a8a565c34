import type { CheckReply } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  insertDevice,
  insertHome,
  insertMapping,
  insertPresence,
  insertRelay,
  insertUser,
} from '../../testing/device-fixtures.ts';
import { noHttps } from '../../testing/apps/open-gate-app.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { verifyPassword } from '../users/index.ts';
import { registerGateRoutes } from './gate-routes.ts';
import { redeemTicket } from './redeem-ticket.ts';
import { deleteOldTickets } from './ticket-store.ts';

const place = { publicUrl: 'http://localhost:8080', tlsPort: 8443, allowedPorts: [8080, 8443], ...noHttps };
const deps = { ...place, wallClockMs: Date.now, verifyPassword };
const nas = 'http://nas.localhost:8080/photos?page=2#/album/7';

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerGateRoutes(app, { ...deps, db }));
}

/** A user with an online device and one mapping, `nas`. */
async function insertNas(db: Db, mapping: { policy?: 'owner' | 'public'; enabled?: boolean } = {}) {
  const home = await insertHome(db);
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas', ...mapping });
  await insertRelay(db, { serverId: home.serverId });
  await insertPresence(db, { deviceId: home.deviceId });
  return { ...home, mappingId };
}

async function check(browser: TestBrowser, url: string): Promise<CheckReply> {
  const reply = await browser.call('GET', `/custom/check/?url=${encodeURIComponent(url)}`);
  expect(reply.status).toBe(200);
  return reply.body as CheckReply;
}

async function countTickets(db: Db): Promise<number> {
  return (await db.selectFrom('gateTicket').select('host').execute()).length;
}

test('a ticket expires after a minute', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);

  await check(await app.browserOf(userId), nas);

  const left = sql<number>`extract(epoch from expires_at - now())::float8`.as('seconds');
  const { seconds } = await t.db.selectFrom('gateTicket').select(left).executeTakeFirstOrThrow();
  expect(seconds).toBeLessThanOrEqual(60);
});

test('the owner gets a ticket that can be redeemed once', async () => {
  await using t = await openTestDb();
  const { userId, mappingId, deviceId } = await insertNas(t.db);
  await using app = await openApp(t.db);

  const reply = await check(await app.browserOf(userId), nas);

  expect(reply).toEqual({
    logged_in: true,
    allowed: true,
    reason: 'ok',
    url: nas,
    domain: 'nas.localhost',
    device: { id: deviceId, name: 'NAS' },
    redirect: expect.any(String),
  });
  const redirect = new URL(reply.redirect ?? '');
  expect(redirect.origin + redirect.pathname).toBe('http://nas.localhost:8080/.tongtu/verify');
  expect(redirect.searchParams.get('next')).toBe('/photos?page=2#/album/7');
  const ticket = redirect.searchParams.get('ticket') ?? '';
  const visitor = { ticket, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: 'Firefox' };
  expect(await redeemTicket(t.db, visitor)).toMatchObject({ mappingId });
  await expect(redeemTicket(t.db, visitor)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
});

test('the database holds no usable ticket', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);

  const { redirect } = await check(await app.browserOf(userId), nas);

  const ticket = new URL(redirect ?? '').searchParams.get('ticket') ?? '';
  const [row] = await t.db.selectFrom('gateTicket').select(['ticketHash', 'usedAt']).execute();
  expect(row?.ticketHash.includes(ticket)).toBe(false);
  expect(row?.ticketHash.toString('base64url')).not.toBe(ticket);
  expect(row?.usedAt).toBeNull();
});

test('anonymous clients and other users are refused with their reason and get no ticket', async () => {
  await using t = await openTestDb();
  await insertNas(t.db);
  const otherUserId = await insertUser(t.db, 'zhao');
  await using app = await openApp(t.db);

  const anonymous = await check(app.browser(), nas);
  const other = await check(await app.browserOf(otherUserId), nas);

  const refused = { allowed: false, url: nas, domain: 'nas.localhost' };
  expect(anonymous).toEqual({ ...refused, logged_in: false, reason: 'login_required' });
  expect(other).toEqual({ ...refused, logged_in: true, reason: 'not_allowed' });
  expect(await countTickets(t.db)).toBe(0);
});

test('a public mapping is open without a ticket', async () => {
  await using t = await openTestDb();
  await insertNas(t.db, { policy: 'public' });
  await using app = await openApp(t.db);

  expect(await check(app.browser(), nas)).toMatchObject({ allowed: true, reason: 'public', redirect: nas });
  expect(await countTickets(t.db)).toBe(0);
});

test('a custom domain is verified like an address with a prefix', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, customDomain: 'nas.example.com' });
  const otherUserId = await insertUser(t.db, 'zhao');
  await using app = await openApp(t.db);
  const url = 'https://nas.example.com:8443/photos';

  const { redirect = '' } = await check(await app.browserOf(home.userId), url);

  expect(new URL(redirect).origin).toBe('https://nas.example.com:8443');
  const ticket = new URL(redirect).searchParams.get('ticket') ?? '';
  const visitor = { ticket, host: 'NAS.example.com', visitorIp: '203.0.113.9', userAgent: 'Firefox' };
  expect(await redeemTicket(t.db, visitor)).toMatchObject({ mappingId });
  const verified = await t.db.selectFrom('verification').select(['host', 'kind']).execute();
  expect(verified).toEqual([{ host: 'nas.example.com', kind: 'cookie' }]);
  expect(await check(await app.browserOf(otherUserId), url)).toMatchObject({ allowed: false, reason: 'not_allowed' });
  for (const foreign of [
    'https://example.com:8443/',
    'https://a.nas.example.com:8443/',
    'https://nas.example.com:22/',
  ]) {
    const reply = await app.browser().call('GET', `/custom/check/?url=${encodeURIComponent(foreign)}`);
    expect(reply, foreign).toMatchObject({ status: 422, body: { code: 'gate.url-not-allowed' } });
  }
});

test('for a mapping with TLS passthrough the owner gets no ticket but the reason address_only', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const address = { kind: 'https', customDomain: 'nas.example.com', tlsPassthrough: true } as const;
  await insertMapping(t.db, { ...home, ...address });
  await using app = await openApp(t.db);
  const url = 'https://nas.example.com:8443/';

  expect(await check(await app.browserOf(home.userId), url)).toEqual({
    ...{ logged_in: true, allowed: false, reason: 'address_only', url, domain: 'nas.example.com' },
    device: { id: home.deviceId, name: 'NAS' },
  });
  expect(await check(app.browser(), url)).toMatchObject({ reason: 'login_required' });
  expect(await countTickets(t.db)).toBe(0);
  await t.db.updateTable('mapping').set({ policy: 'public' }).execute();
  expect(await check(app.browser(), url)).toMatchObject({ allowed: true, reason: 'public', redirect: url });

  await insertMapping(t.db, { ...home, ...address, customDomain: '*.home.example.com' });
  const covered = 'http://tv.home.example.com:8080/';
  expect(await check(await app.browserOf(home.userId), covered)).toMatchObject({
    reason: 'address_only',
    url: covered,
  });
});

test('an offline device does not keep its owner from being verified', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using app = await openApp(t.db);

  const reply = await check(await app.browserOf(home.userId), nas);

  expect(reply).toMatchObject({
    allowed: true,
    reason: 'device_offline',
    redirect: expect.stringContaining('ticket='),
  });
});

test('a disabled mapping, a disabled device and an unknown address have a reason each', async () => {
  await using t = await openTestDb();
  const { userId, serverId } = await insertNas(t.db, { enabled: false });
  const offId = await insertDevice(t.db, { userId, serverId, enabled: false });
  await insertMapping(t.db, { deviceId: offId, serverId, prefix: 'off' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  expect(await check(browser, nas)).toMatchObject({ allowed: false, reason: 'mapping_disabled' });
  expect(await check(browser, 'http://off.localhost:8080/')).toMatchObject({
    allowed: false,
    reason: 'device_disabled',
  });
  expect(await check(browser, 'http://none.localhost:8080/')).toMatchObject({
    allowed: false,
    reason: 'no_such_mapping',
  });
  expect(await countTickets(t.db)).toBe(0);
});

test.each(['http://localhost:8080/#/devices', 'http://localhost:8443/'])(
  '%s leads back to the console',
  async (url) => {
    await using t = await openTestDb();
    await insertHome(t.db);
    await using app = await openApp(t.db);

    expect(await check(app.browser(), url)).toMatchObject({ allowed: true, redirect: url });
  },
);

test('the address at which the browser opened the console counts as the console', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using app = await openApp(t.db);
  const host = '192.168.1.2:8080';
  const url = `/custom/check/?url=${encodeURIComponent(`http://${host}/#/devices`)}`;

  const own = await app.browser().call('GET', url, undefined, { host, origin: `http://${host}` });
  const other = await app.browser().call('GET', url);

  expect(own).toMatchObject({ status: 200, body: { allowed: true, redirect: `http://${host}/#/devices` } });
  expect(other).toMatchObject({ status: 422, body: { code: 'gate.url-not-allowed' } });
});

const foreignUrls = [
  'http://evil.com/',
  'http://evil.com:8080/',
  'http://nas.localhost.evil.com:8080/',
  'http://nas-localhost:8080/',
  'http://a.nas.localhost:8080/',
  'http://notlocalhost:8080/',
  'http://nas.localhost:9999/',
  'http://nas.localhost/',
  'https://nas.localhost/',
  'https://nas.localhost:22/',
  'http://localhost:1/',
  'http://127.0.0.1:8080/',
  '//nas.localhost:8080/',
  'http:nas.localhost:8080',
  'http://user@nas.localhost:8080/',
  'http://nas.localhost:8080@evil.com/',
  'http://nas.localhost:8080\\@evil.com/',
  'http://nas.localhost.:8080/',
  'http://nas。localhost:8080/',
  'javascript:alert(1)//nas.localhost:8080',
  'data:text/html,nas.localhost',
  'http://nas.localhost:8080/%0d%0a\r\n',
];

test('addresses outside of the installation are refused, even for the owner', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  for (const url of foreignUrls) {
    const reply = await browser.call('GET', `/custom/check/?url=${encodeURIComponent(url)}`);
    expect(reply, url).toMatchObject({ status: 422, body: { code: 'gate.url-not-allowed' } });
  }
  expect(await countTickets(t.db)).toBe(0);
});

test('of the console’s paths only its page is allowed, not its calls', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  for (const page of ['/', '', '/?a=b', '/#/devices', '/?a=b#/user/info']) {
    expect(await check(browser, `http://localhost:8080${page}`), page).toMatchObject({ allowed: true });
  }
  for (const path of [
    '/custom/logout',
    '//custom/logout',
    '/./custom/logout#/devices',
    '/%63ustom/logout',
    '/api/site/config/',
    '/sso/',
  ]) {
    const reply = await browser.call('GET', `/custom/check/?url=${encodeURIComponent(`http://localhost:8080${path}`)}`);
    expect(reply, path).toMatchObject({ status: 422, body: { code: 'gate.url-not-allowed' } });
  }
});

test('encoded newlines and a doubled slash stay inside the path', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const nextOf = async (path: string): Promise<string | null> => {
    const { redirect } = await check(browser, `http://nas.localhost:8080${path}`);
    return new URL(redirect ?? '').searchParams.get('next');
  };

  expect(await nextOf('/%0d%0aset-cookie:a')).toBe('/%0d%0aset-cookie:a');
  expect(await nextOf('//evil.com/x')).toBe('/evil.com/x');
  expect(await nextOf('/x?next=//evil.com&ticket=y')).toBe('/x?next=//evil.com&ticket=y');
});

test('a missing and an over-long url are errors of that field', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);

  for (const query of ['', '?url=a&url=b', `?url=${'a'.repeat(4097)}`]) {
    const reply = await app.browser().call('GET', `/custom/check/${query}`);
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'request.invalid', errors: { url: [expect.any(String)] } },
    });
  }
});

test('a page of another site cannot call the check', async () => {
  await using t = await openTestDb();
  const { userId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const foreign = { origin: 'http://nas.localhost', 'sec-fetch-site': 'same-site' };
  const reply = await browser.call('GET', `/custom/check/?url=${encodeURIComponent(nas)}`, undefined, foreign);

  expect(reply).toMatchObject({ status: 403, body: { code: 'request.cross-site' } });
});

test('only old tickets are deleted', async () => {
  await using t = await openTestDb();
  const { userId, mappingId } = await insertNas(t.db);
  await using app = await openApp(t.db);
  const expiresAt = sql<Date>`now() - interval '2 days'`;
  const old = { ticketHash: Buffer.alloc(32, 1), userId, mappingId, host: 'old', expiresAt };
  await t.db.insertInto('gateTicket').values(old).execute();
  await check(await app.browserOf(userId), nas);

  await deleteOldTickets(t.db);

  expect(await t.db.selectFrom('gateTicket').select('host').execute()).toEqual([{ host: 'nas.localhost' }]);
});
