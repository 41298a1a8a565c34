import { SSO_STATE_COOKIE } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { createSecret } from '../sso-secret.ts';
import { fetchLogin, confirmByPhone, openDesktop, openTestSso, fetchCode } from '../testing/open-test-sso.ts';

const loginUrl = (query: Record<string, string>): string =>
  `/sso/wechat/login?${new URLSearchParams({ from: 'http://localhost/', ...query }).toString()}`;

const hostileCallbacks = [
  '',
  'alert(1)//',
  'a;b',
  'a b',
  'a\n',
  '1a',
  '.a',
  'a-b',
  'a[0]',
  'a(b',
  '<script>',
  'a\u2028',
  'é',
  'a%0d%0aset-cookie:x=1',
  'x'.repeat(65),
  '*/alert(1)/*',
];

test('an unconfirmed login returns the content of the QR code, the same each time', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);

  expect(desktop.image).toMatch(/^http:\/\/localhost\/sso\/wechat\/scan\?t=[0-9a-f]{32}$/);
  expect(desktop.image).not.toContain(desktop.state);
  expect(await fetchLogin(desktop)).toEqual({ status: 'pending', image: desktop.image, fake: true });
});

test('the answer is a script that is neither sniffed as another type nor cached', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, state } = await openDesktop(sso);

  const reply = await browser.call('GET', loginUrl({ state, callback: 'a.b$_9' }));

  expect(reply.text).toMatch(/^\/\*\*\/a\.b\$_9\(\{.*\}\);$/);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('a callback that is not a name is refused, for the login and for the logout', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, state } = await openDesktop(sso);

  for (const callback of hostileCallbacks) {
    const urls = [loginUrl({ state, callback }), `/sso/wechat/logout?${new URLSearchParams({ callback }).toString()}`];
    for (const url of urls) {
      const { status, headers, text } = await browser.call('GET', url);
      expect([url, status, headers['content-type']]).toEqual([url, 422, 'application/problem+json; charset=utf-8']);
      if (callback.length > 2) expect(text).not.toContain(callback);
    }
  }
});

test('two callbacks or none are refused', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, state } = await openDesktop(sso);

  expect((await browser.call('GET', `${loginUrl({ state, callback: 'a' })}&callback=b`)).status).toBe(422);
  expect((await browser.call('GET', loginUrl({ state }))).status).toBe(422);
});

test('a state of another browser, of another site or of the wrong length is refused', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, state } = await openDesktop(sso);
  const otherBrowser = sso.browser();

  expect((await otherBrowser.call('GET', loginUrl({ state, callback: 'cb' }))).status).toBe(403);
  expect((await browser.call('GET', loginUrl({ state: createSecret(), callback: 'cb' }))).status).toBe(403);
  expect((await browser.call('GET', loginUrl({ state: 'short', callback: 'cb' }))).status).toBe(422);
  const foreign = loginUrl({ state, callback: 'cb', from: 'https://evil.example/' });
  expect((await browser.call('GET', foreign)).status).toBe(403);
});

test('after the phone has confirmed, each call returns a new code', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  await confirmByPhone(sso, desktop.image);

  const first = await fetchCode(desktop);
  const second = await fetchCode(desktop);

  expect(first).toMatch(/^[\w-]{22}$/);
  expect(second).not.toBe(first);
});

test('a code is valid for 60 seconds', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  await confirmByPhone(sso, desktop.image);
  const readLogin = async () =>
    await t.db
      .selectFrom('ssoLogin')
      .select('codeExpiresAt')
      .select(sql<Date>`clock_timestamp()`.as('now'))
      .executeTakeFirstOrThrow();

  const before = await readLogin();
  await fetchCode(desktop);
  const after = await readLogin();

  const givenAtMs = Number(after.codeExpiresAt?.getTime()) - 60_000;
  expect(givenAtMs).toBeGreaterThanOrEqual(before.now.getTime());
  expect(givenAtMs).toBeLessThanOrEqual(after.now.getTime());
});

test('a confirmation that is not fetched expires', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  await confirmByPhone(sso, desktop.image);
  await sql`update sso_login set expires_at = now()`.execute(t.db);

  expect((await fetchLogin(desktop)).status).toBe('pending');
});

test('a logout deletes the login that the browser began, and its cookie', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  await confirmByPhone(sso, desktop.image);

  const reply = await desktop.browser.call('GET', '/sso/wechat/logout?callback=cb');

  expect(reply.text).toBe('/**/cb({"status":"ok"});');
  expect(desktop.browser.cookies.has(SSO_STATE_COOKIE)).toBe(false);
  desktop.browser.cookies.set(SSO_STATE_COOKIE, desktop.state);
  expect((await fetchLogin(desktop)).status).toBe('pending');
});

test('a page of another host cannot begin or end a login, though it planted the cookie', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, state } = await openDesktop(sso);
  const refused = { status: 403, body: { code: 'request.cross-site' } };
  const noOrigin = { origin: undefined, 'sec-fetch-site': undefined };

  for (const url of [loginUrl({ state, callback: 'cb' }), '/sso/wechat/logout?callback=cb']) {
    for (const headers of [
      { origin: undefined, 'sec-fetch-site': 'same-site' },
      { origin: undefined, 'sec-fetch-site': 'cross-site' },
      { ...noOrigin, referer: 'http://nas.localhost/' },
    ]) {
      expect(await browser.call('GET', url, undefined, headers)).toMatchObject(refused);
    }
  }
  const own = { ...noOrigin, referer: 'http://localhost/login' };
  expect((await browser.call('GET', loginUrl({ state, callback: 'cb' }), undefined, own)).status).toBe(200);
});

test('over https the state is in a cookie that no other host of the domain can set', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const browser = sso.browser();
  const state = createSecret();
  const url = `/sso/wechat/login?${new URLSearchParams({ from: 'https://localhost/', state, callback: 'cb' }).toString()}`;
  const https = { origin: 'https://localhost', 'x-forwarded-proto': 'https' };
  browser.cookies.set(SSO_STATE_COOKIE, state);

  expect((await browser.call('GET', url, undefined, https)).status).toBe(403);
  browser.cookies.set(`__Host-${SSO_STATE_COOKIE}`, state);
  expect((await browser.call('GET', url, undefined, https)).status).toBe(200);
  const logout = await browser.call('GET', '/sso/wechat/logout?callback=cb', undefined, https);
  expect(logout.status).toBe(200);
  expect([...browser.cookies.keys()]).toEqual([SSO_STATE_COOKIE]);
});
