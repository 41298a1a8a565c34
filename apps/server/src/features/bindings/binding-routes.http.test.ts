import { randomBytes } from 'node:crypto';
import { keyFingerprint } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerUserRoutes } from '../users/index.ts';
import { deleteExpiredBindings, registerBindingRoutes, useBinding } from './index.ts';

const offerPath = '/api/agent/binding/';
const userPath = '/api/user/binding/';

async function openApp(t: TestDb): Promise<TestApp> {
  const { db } = t;
  return await openTestApp(db, (app) => {
    registerBindingRoutes(app, { db, placeOf: () => '浙江省杭州市' });
    // The call for a binding proof needs only the database.
    registerUserRoutes(app, { db } as Parameters<typeof registerUserRoutes>[1]);
  });
}

/** An agent's calls: no cookies and no Origin. */
async function offer(app: TestApp, given: object = {}, headers: Record<string, string> = {}) {
  const publicKey = randomBytes(32).toString('base64url');
  const body = { public_key: publicKey, name: '客厅的 NAS', platform: 'linux x64', agent_version: '0.1.0', ...given };
  const reply = await app.app.inject({
    method: 'POST',
    url: offerPath,
    headers: { host: 'localhost', 'x-forwarded-for': '203.0.113.9', ...headers },
    payload: body,
  });
  return { status: reply.statusCode, code: String(reply.json()['code']), publicKey };
}

const stateOf = async (app: TestApp, code: string) =>
  (await app.browser().call('GET', `${offerPath}?code=${code}`)).body;

async function confirm(browser: TestBrowser, code: string, signOf = browser) {
  const proof = (await signOf.call('GET', '/api/user/token-sign/')).body as { token_id: string; sign: string };
  return await browser.call('POST', userPath, { code, token_id: proof.token_id, sign: proof.sign });
}

const claim = async (t: TestDb, code: string, publicKey: string) =>
  await t.db.transaction().execute(async (tx) => await useBinding(tx, `tc_${code}`, publicKey));

test('a pending device is shown with what identifies it, and bound to the user who confirms', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const userId = await insertUser(t.db, 'admin');
  const browser = await app.browserOf(userId);
  const { code, publicKey } = await offer(app);

  expect(await stateOf(app, code)).toEqual({ state: 'pending', account: '' });
  expect(await claim(t, code, publicKey)).toBeUndefined();
  const shown = await browser.call('GET', `${userPath}?code=${code}`, undefined, { 'x-forwarded-for': '203.0.113.9' });
  expect(shown.body).toEqual({
    name: '客厅的 NAS',
    platform: 'linux x64',
    agent_version: '0.1.0',
    fingerprint: keyFingerprint(publicKey),
    ip: '203.0.113.9',
    place: '浙江省杭州市',
    is_same_network: true,
    expires_at: expect.any(String),
  });
  const elsewhere = await browser.call('GET', `${userPath}?code=${code}`);
  expect(elsewhere.body).toMatchObject({ is_same_network: false });
  const cut = await browser.call('GET', `${userPath}?code=${code.slice(0, -1)}`);
  expect(cut).toMatchObject({ status: 404, body: { code: 'binding.not-found' } });

  expect((await confirm(browser, code)).body).toEqual({ ok: true });

  expect(await stateOf(app, code)).toEqual({ state: 'confirmed', account: 'a***n' });
  expect(await claim(t, code, publicKey)).toBe(userId);
  expect(await claim(t, code, publicKey)).toBeUndefined();
  expect(await stateOf(app, code)).toEqual({ state: 'ended', account: '' });
});

test('the link alone cannot bind another key', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const { code, publicKey } = await offer(app);
  await confirm(await app.browserOf(await insertUser(t.db, 'li')), code);

  expect(await claim(t, code, randomBytes(32).toString('base64url'))).toBeUndefined();
  expect(await claim(t, code, publicKey)).toBeDefined();
});

test('of two accounts that confirm at once one gets the device, and the other keeps its proof', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const { code } = await offer(app);
  const browsers = [
    await app.browserOf(await insertUser(t.db, 'li')),
    await app.browserOf(await insertUser(t.db, 'zhao')),
  ];

  const replies = await Promise.all(browsers.map(async (browser) => await confirm(browser, code)));

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  expect(await t.db.selectFrom('tokenSign').select('usedAt').where('usedAt', 'is', null).execute()).toHaveLength(1);
});

test('a used binding proof, or one of another account, does not confirm', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const [li, zhao] = [
    await app.browserOf(await insertUser(t.db, 'li')),
    await app.browserOf(await insertUser(t.db, 'zhao')),
  ];
  const { code } = await offer(app);

  expect((await confirm(li, code, zhao)).body).toMatchObject({ code: 'enrolment.token-invalid' });
  const proof = (await li.call('GET', '/api/user/token-sign/')).body as { token_id: string; sign: string };
  const body = { token_id: proof.token_id, sign: proof.sign };
  expect((await li.call('POST', userPath, { code, ...body })).status).toBe(200);
  const other = await offer(app);
  expect((await li.call('POST', userPath, { code: other.code, ...body })).body).toMatchObject({
    code: 'enrolment.token-invalid',
  });
});

test('a request ends after ten minutes', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const browser = await app.browserOf(await insertUser(t.db, 'li'));
  const { code, publicKey } = await offer(app);
  const request = await t.db.selectFrom('bindingRequest').select('expiresAt').executeTakeFirstOrThrow();
  expect(Math.ceil((request.expiresAt.getTime() - Date.now()) / 60_000)).toBe(10);
  await t.db
    .updateTable('bindingRequest')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute();

  expect(await stateOf(app, code)).toEqual({ state: 'ended', account: '' });
  expect((await browser.call('GET', `${userPath}?code=${code}`)).body).toMatchObject({ code: 'binding.not-found' });
  expect((await confirm(browser, code)).body).toMatchObject({ code: 'binding.not-found' });
  expect(await claim(t, code, publicKey)).toBeUndefined();
  await deleteExpiredBindings(t.db);
  expect(await t.db.selectFrom('bindingRequest').select('name').execute()).toEqual([]);
});

test('a page of another site cannot offer a device, and without a login nobody sees or confirms one', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);

  expect((await offer(app, {}, { origin: 'https://evil.example.com' })).status).toBe(403);
  expect((await offer(app, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const { code } = await offer(app);
  expect((await app.browser().call('GET', `${userPath}?code=${code}`)).status).toBe(401);
});

test('the database holds no usable code', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const { code } = await offer(app);

  const row = await t.db.selectFrom('bindingRequest').selectAll().executeTakeFirstOrThrow();

  expect(JSON.stringify(Object.values(row).map(String))).not.toContain(code);
});

test.each([
  { agent: '127.0.0.1', user: '::1', isSame: true },
  { agent: '192.168.1.5', user: '192.168.1.7', isSame: true },
  { agent: '192.168.1.5', user: '203.0.113.9', isSame: false },
  { agent: '203.0.113.8', user: '203.0.113.9', isSame: false },
])('a device at $agent and a user at $user are in one network: $isSame', async ({ agent, user, isSame }) => {
  await using t = await openTestDb();
  await using app = await openApp(t);
  const browser = await app.browserOf(await insertUser(t.db, 'li'));
  const { code } = await offer(app, {}, { 'x-forwarded-for': agent });

  const shown = await browser.call('GET', `${userPath}?code=${code}`, undefined, { 'x-forwarded-for': user });

  expect(shown.body).toMatchObject({ is_same_network: isSame });
});
