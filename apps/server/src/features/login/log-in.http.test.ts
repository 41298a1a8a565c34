import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { hashCheaply } from '../../testing/hash-cheaply.ts';
import { openTestApp, testCsrfKey, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { registerAccountRoutes } from '../account-data/index.ts';
import { createAccountToken, registerUserRoutes } from '../users/index.ts';
import { registerLoginRoutes } from './login-routes.ts';

const sealingKey = Buffer.alloc(32, 3);
const password = 'correct horse battery';
const passwordHash = await hashCheaply(password);

const deps = {
  sealingKey,
  codeKey: Buffer.alloc(32, 5),
  csrfKey: testCsrfKey,
  publicUrl: 'http://localhost:8080',
  billing: 'off' as const,
  phoneRegions: ['86'],
};

const routes = (db: Db) => (app: FastifyInstance) => {
  registerUserRoutes(app, { ...deps, db });
  registerAccountRoutes(app, { ...deps, db });
  registerLoginRoutes(app, { ...deps, db });
};

type UserFields = { username: string; email?: string; phoneNumber?: string; phoneBoundAt?: Date };

async function insertUser(db: Db, fields: UserFields): Promise<number> {
  const { id } = await db
    .insertInto('userAccount')
    .values({ ...fields, passwordHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  await createAccountToken(db, sealingKey, id);
  return id;
}

async function logIn(browser: TestBrowser, account: string, secret = password, ticket?: string) {
  if (!browser.cookies.has('csrftoken')) await browser.call('GET', '/api/login_status/');
  return await browser.call('POST', '/custom/login/', { account, password: secret, ticket });
}

/** Logs in with a solved captcha. */
async function logInWithCaptcha(db: Db, browser: TestBrowser, account: string, secret = password) {
  return await logIn(browser, account, secret, await solveCaptcha(db, browser, 'login'));
}

test('a login sets the cookies of the session, the CSRF token and the trusted browser', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'Li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();

  const reply = await logIn(browser, 'li');

  expect(reply).toMatchObject({ status: 200, body: { id } });
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^sessionid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^csrftoken=[\w.-]+; Max-Age=2592000; Path=\/; SameSite=Lax$/),
    expect.stringMatching(/^trusted=/),
  ]);
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
  expect(await t.db.selectFrom('session').select('userId').execute()).toEqual([{ userId: id }]);
});

const https = { 'x-forwarded-proto': 'https', origin: 'https://localhost' };

/** Adds cookies as a page of the other scheme or of another host of the domain may have set them. */
const withCookies = (...cookies: string[]) => ({ cookie: cookies.join('; ') });

async function sessionIdOf(app: TestApp, account: string): Promise<string> {
  const browser = app.browser();
  await logIn(browser, account);
  return browser.cookies.get('sessionid') ?? '';
}

test('over https the cookies are Secure and have the prefix __Host-', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/', undefined, https);

  const reply = await browser.call('POST', '/custom/login/', { account: 'li', password }, https);

  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-sessionid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-csrftoken=[\w.-]+; Max-Age=2592000; Path=\/; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-trusted=/),
  ]);
});

test('over https a session cookie without the prefix __Host- is ignored', async () => {
  await using t = await openTestDb();
  const [li, mallory] = [await insertUser(t.db, { username: 'li' }), await insertUser(t.db, { username: 'mallory' })];
  await using app = await openTestApp(t.db, routes(t.db));
  const planted = withCookies(`sessionid=${await sessionIdOf(app, 'mallory')}`);
  const victim = app.browser();
  const status = async (headers: Record<string, string>) =>
    (await victim.call('GET', '/api/login_status/', undefined, headers)).body;

  expect(await status({ ...planted, ...https })).toEqual({ logged_in: false, id: 0 });
  expect((await victim.call('POST', '/custom/login/', { account: 'li', password }, https)).status).toBe(200);
  expect(await status({ ...planted, ...https })).toEqual({ logged_in: true, id: li });
  expect(await status(planted)).toEqual({ logged_in: true, id: mallory });
});

test('a browser has separate sessions over https and http', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/', undefined, https);
  await browser.call('POST', '/custom/login/', { account: 'li', password }, https);

  expect((await logIn(browser, 'li')).status).toBe(200);
  const own = () => [...browser.cookies.keys()].filter((name) => !name.endsWith('trusted')).toSorted();
  expect(own()).toEqual(['__Host-csrftoken', '__Host-sessionid', 'csrftoken', 'sessionid']);
  await browser.call('GET', '/custom/logout');
  expect(own()).toEqual(['__Host-csrftoken', '__Host-sessionid']);
  const { body } = await browser.call('GET', '/api/login_status/', undefined, https);
  expect(body).toEqual({ logged_in: true, id });
});

const junk = [
  'sessionid=junk',
  `sessionid=${'A'.repeat(43)}`,
  'csrftoken=junk',
  `csrftoken=${'A'.repeat(16)}.${'A'.repeat(43)}`,
];

test('invalid cookies that another host has planted do not break the login or later calls', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  // The console cannot know which token is valid, and sends all.
  const planted = () => ({
    ...withCookies(...junk),
    'x-csrftoken': `${'A'.repeat(16)}.${'A'.repeat(43)}, ${browser.cookies.get('csrftoken')}`,
  });
  await browser.call('GET', '/api/login_status/', undefined, planted());

  const reply = await browser.call('POST', '/custom/login/', { account: 'li', password }, planted());

  expect(reply).toMatchObject({ status: 200, body: { id } });
  const { body, headers } = await browser.call('GET', '/api/login_status/', undefined, planted());
  expect(body).toEqual({ logged_in: true, id });
  expect(headers['set-cookie']).toBeUndefined();
  const changed = await browser.call(
    'POST',
    '/custom/password/',
    { old_password: 'not it', new_password: 'another good one' },
    planted(),
  );
  expect(changed).toMatchObject({ status: 403, body: { code: 'password.wrong' } });
});

test('of two valid session cookies the last one counts; a login ends both sessions', async () => {
  await using t = await openTestDb();
  const li = await insertUser(t.db, { username: 'li' });
  await insertUser(t.db, { username: 'mallory' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  await logIn(browser, 'li');
  const planted = withCookies(`sessionid=${await sessionIdOf(app, 'mallory')}`);

  const { body } = await browser.call('GET', '/api/login_status/', undefined, planted);
  expect(body).toEqual({ logged_in: true, id: li });
  expect((await browser.call('POST', '/custom/login/', { account: 'li', password }, planted)).status).toBe(200);
  expect(await t.db.selectFrom('session').select('userId').execute()).toEqual([{ userId: li }]);
});

test('name, e-mail address and phone number log in, in any letter case', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, {
    username: '李雷Élan',
    email: 'Li@Example.com',
    phoneNumber: '+8613800000000',
    phoneBoundAt: new Date(),
  });
  await using app = await openTestApp(t.db, routes(t.db));

  for (const account of ['李雷éLAN', 'li@example.COM', '+8613800000000', '138 0000 0000', '  李雷élan ']) {
    expect(await logIn(app.browser(), account)).toMatchObject({ status: 200, body: { id } });
  }
});

test('a username equal to another account’s phone number does not block its login', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: '13800000000' });
  const id = await insertUser(t.db, { username: 'li', phoneNumber: '+8613800000000', phoneBoundAt: new Date() });
  await using app = await openTestApp(t.db, routes(t.db));

  expect(await logIn(app.browser(), '13800000000')).toMatchObject({ status: 200, body: { id } });
});

test('the failures of a phone number are counted together, however it is written', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));

  for (const account of ['13800000000', '138 0000 0000', '+86-138-0000-0000']) {
    await logIn(app.browser(), account, 'wrong');
  }

  const rows = await t.db.selectFrom('failedAttempt').select(['key', 'failures']).execute();
  expect(rows).toEqual([{ key: 'name:+8613800000000', failures: 3 }]);
});

test('an unknown account, an account without password and a wrong password get the same answer', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  const silent = await insertUser(t.db, { username: 'silent' });
  await t.db.updateTable('userAccount').set({ passwordHash: null }).where('id', '=', silent).execute();
  await using app = await openTestApp(t.db, routes(t.db));

  for (const account of ['li', 'nobody', 'silent']) {
    const { status, body } = await logIn(app.browser(), account, 'wrong');
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'login.failed', detail: '账号或密码不正确' });
    expect(body).not.toHaveProperty('errors');
  }
});

test.each(['li', 'nobody'])(
  'ten wrong passwords lock %s for a quarter of an hour, even for the right one',
  async (account) => {
    await using t = await openTestDb();
    await insertUser(t.db, { username: 'li' });
    await using app = await openTestApp(t.db, routes(t.db));
    const browser = app.browser();
    for (let i = 0; i < 10; i++) {
      expect((await logInWithCaptcha(t.db, browser, account, 'wrong')).status).toBe(401);
    }

    const reply = await logInWithCaptcha(t.db, browser, account.toUpperCase());

    expect(reply).toMatchObject({ status: 429, body: { code: 'login.locked' } });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
  },
);

test('the lock expires, and a success resets the failures', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  for (let i = 0; i < 10; i++) await logInWithCaptcha(t.db, app.browser(), 'li', 'wrong');
  const past = new Date(Date.now() - 60_000);
  await t.db.updateTable('failedAttempt').set({ lockedUntil: past }).execute();

  expect((await logInWithCaptcha(t.db, app.browser(), 'li')).status).toBe(200);
  expect(await t.db.selectFrom('failedAttempt').select('key').execute()).toEqual([]);
});

test.each(['li', 'nobody'])(
  'after three wrong passwords for %s a captcha is required, from any address',
  async (account) => {
    await using t = await openTestDb();
    await insertUser(t.db, { username: 'li' });
    await using app = await openTestApp(t.db, routes(t.db));
    const elsewhere = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}` });
    for (let i = 0; i < 3; i++) {
      const browser = app.browser();
      await browser.call('GET', '/api/login_status/');
      const body = { account, password: 'wrong' };
      expect((await browser.call('POST', '/custom/login/', body, elsewhere(i))).status).toBe(401);
    }

    const reply = await logIn(app.browser(), account.toUpperCase());

    expect(reply).toMatchObject({ status: 403, body: { code: 'captcha.required' } });
  },
);

test('after three wrong passwords from one address a captcha is required, for any account', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  for (const account of ['wang', 'zhao', 'qian']) expect((await logIn(browser, account, 'wrong')).status).toBe(401);

  expect((await logIn(browser, 'li')).body).toMatchObject({ code: 'captcha.required' });
  const ticket = await solveCaptcha(t.db, browser, 'login');
  expect(await logIn(browser, 'li', password, ticket)).toMatchObject({ status: 200, body: { id } });
  for (const account of ['wang', 'zhao', 'qian']) await logIn(browser, account, 'wrong');
  expect((await logIn(browser, 'li', password, ticket)).body).toMatchObject({ code: 'captcha.ticket-expired' });
});

test('of twenty concurrent wrong passwords at most three are checked, the others need a captcha', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');

  const replies = await Promise.all(Array.from({ length: 20 }, () => logIn(browser, 'li', 'wrong')));

  expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(3);
  expect(replies.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(17);
});

test('successful logins never require a captcha', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));

  for (let i = 0; i < 8; i++) expect((await logIn(app.browser(), 'li')).status).toBe(200);
});

test('one address is limited to 60 login calls', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  const call = async (i: number) => await browser.call('POST', '/custom/login/', { account: `a${i}`, password: 'x' });
  await browser.call('GET', '/api/login_status/');
  for (let i = 0; i < 60; i++) await call(i);

  const reply = await call(60);

  expect(reply).toMatchObject({ status: 429, body: { code: 'request.too-many' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});

test('a session id from before the login is invalid after it', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);
  const before = browser.cookies.get('sessionid')!;

  await logIn(browser, 'li');

  expect(browser.cookies.get('sessionid')).not.toBe(before);
  const old = app.browser();
  old.cookies.set('sessionid', before);
  expect((await old.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
});

test('a CSRF token from before the login is invalid after it', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  const anonymous = browser.cookies.get('csrftoken')!;
  await logIn(browser, 'li');
  browser.cookies.set('csrftoken', anonymous);

  const reply = await browser.call('POST', '/custom/password/', {
    old_password: password,
    new_password: 'another password',
  });

  expect(reply).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
});

test('a logout deletes the session in the database and redirects to the login page', async () => {
  await using t = await openTestDb();
  const browserOwner = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(browserOwner);

  const reply = await browser.call('GET', '/custom/logout', undefined, { origin: undefined });

  expect(reply).toMatchObject({ status: 302, headers: { location: '/#/login' } });
  expect([...browser.cookies.keys()]).toEqual([]);
  expect(await t.db.selectFrom('session').select('userId').execute()).toEqual([]);
});

test('a console that shows another user does not log the current user out', async () => {
  await using t = await openTestDb();
  const [liam, kate] = [await insertUser(t.db, { username: 'liam' }), await insertUser(t.db, { username: 'kate' })];
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(kate);
  const logOut = async (query: string) => await browser.call('GET', `/custom/logout${query}`);

  for (const query of [`?user=${liam}`, '?user=', `?user=${kate}&user=${liam}`])
    expect(await logOut(query)).toMatchObject({ status: 302, headers: { location: '/#/login' } });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id: kate });

  await logOut(`?user=${kate}`);
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
});

test('a navigation from another site does not log out', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  const headers = { origin: undefined, 'sec-fetch-site': 'same-site' };
  const reply = await browser.call('GET', '/custom/logout', undefined, headers);

  expect(reply).toMatchObject({ status: 302, headers: { location: '/#/login' } });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
});

const noOrigin = { origin: undefined, 'sec-fetch-site': undefined };
const own = (browser: TestBrowser) => `?csrf=${browser.cookies.get('csrftoken')}`;
const none = () => '';
const logouts: [what: string, headers: Record<string, string | undefined>, query: typeof own, isEnded: boolean][] = [
  ['the console, by Referer', { ...noOrigin, referer: 'http://localhost/' }, none, true],
  ['the console, by Sec-Fetch-Site', { ...noOrigin, 'sec-fetch-site': 'same-origin' }, none, true],
  ['a typed address', { ...noOrigin, 'sec-fetch-site': 'none' }, none, true],
  ['the console in a browser without these headers, by its CSRF token', noOrigin, own, true],
  ['the console with further tokens of other hosts', noOrigin, (one) => `?csrf=junk,%20${own(one).slice(6)}`, true],
  ['a link of another site without these headers', noOrigin, none, false],
  ['such a link with a forged token', noOrigin, () => `?csrf=${'A'.repeat(16)}.${'A'.repeat(43)}`, false],
  ['another site, by Referer', { ...noOrigin, referer: 'http://nas.localhost/' }, none, false],
  ['a prefetch', { ...noOrigin, 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' }, none, false],
  ['another site with the CSRF token', { ...noOrigin, 'sec-fetch-site': 'cross-site' }, own, false],
];

test.each(logouts)('logout over http by %s', async (_what, headers, query, isEnded) => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  const reply = await browser.call('GET', `/custom/logout${query(browser)}`, undefined, headers);

  expect(reply).toMatchObject({ status: 302, headers: { location: '/#/login' } });
  expect((await browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: !isEnded });
});

test('a session expires after 30 days without use, and a use more than a minute later extends it', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await t.db
    .updateTable('session')
    .set({ lastSeenAt: hoursFromNow(-1), expiresAt: hoursFromNow(1) })
    .execute();

  const reply = await browser.call('GET', '/api/login_status/');
  const { expiresAt } = await t.db.selectFrom('session').select('expiresAt').executeTakeFirstOrThrow();
  await t.db
    .updateTable('session')
    .set({ expiresAt: hoursFromNow(-1) })
    .execute();
  const late = await browser.call('GET', '/api/login_status/');

  expect(reply.headers['set-cookie']).toMatch(/^sessionid=/);
  expect(expiresAt.getTime()).toBeGreaterThan(hoursFromNow(29 * 24).getTime());
  expect(late.body).toEqual({ logged_in: false, id: 0 });
});

test('changing the password needs the old one, ends the other sessions and keeps this one', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);
  const other = await app.browserOf(id);
  const change = (old: string) =>
    browser.call('POST', '/custom/password/', { old_password: old, new_password: 'a better password' });

  expect(await change('wrong')).toMatchObject({ status: 403, body: { code: 'password.wrong' } });
  expect(await change(password)).toMatchObject({ status: 200, body: { ok: true } });

  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
  expect((await other.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
  expect((await logIn(app.browser(), 'li')).status).toBe(401);
  expect((await logIn(app.browser(), 'li', 'a better password')).status).toBe(200);
});

test('a weak password is refused before the old one is checked', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'katherine' });
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  for (const weak of ['aaaaaaaaaa', '1234567890', 'qwertyuiop', 'katherine!'])
    expect(
      await browser.call('POST', '/custom/password/', { old_password: 'wrong', new_password: weak }),
    ).toMatchObject({
      status: 422,
      body: { errors: { new_password: [expect.stringContaining('新密码')] } },
    });

  expect(await t.db.selectFrom('failedAttempt').select('key').execute()).toEqual([]);
  expect((await logIn(app.browser(), 'katherine')).status).toBe(200);
});

test('text that PostgreSQL cannot store is an invalid input', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));

  expect(await logIn(app.browser(), 'a\u0000b')).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
});
