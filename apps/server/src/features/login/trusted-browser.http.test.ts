import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp, testPassword, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { deleteOldTrusted } from '../trusted-browsers/index.ts';
import { resetPassword } from '../users/index.ts';

const email = 'li@example.com';
const phoneNumber = '+8613800000000';
const names = ['li', email, '138 0000 0000'];
const locked = { status: 429, body: { code: 'login.locked' } };

/** Two accounts, and a browser in which Li has logged in before. */
async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const userId = await insertAccount(t.db, { email, phoneNumber });
  const otherId = await insertAccount(t.db, { username: 'wang' });
  const app = stack.use(await openAccountApp(t.db));
  const home = app.browser();
  expect(await logIn(home)).toMatchObject({ status: 200 });
  const held = stack.move();
  return {
    ...{ t, db: t.db, app, home, userId, otherId },
    [Symbol.asyncDispose]: async () => await held.disposeAsync(),
  };
}

type Given = { account?: string; password?: string; ticket?: string; headers?: Record<string, string> };

async function logIn(browser: TestBrowser, { account = 'li', password = testPassword, ticket, headers }: Given = {}) {
  await browser.call('GET', '/api/login_status/', undefined, headers);
  return await browser.call('POST', '/custom/login/', { account, password, ticket }, headers);
}

/** Logs in with a solved captcha. */
async function logInWithCaptcha(db: Db, browser: TestBrowser, given: Given = {}) {
  return await logIn(browser, { ...given, ticket: await solveCaptcha(db, browser, 'login') });
}

/** Locks the account's names, as ten wrong passwords each from other networks do. */
async function lockNames(db: Db): Promise<void> {
  for (const account of ['li', email, phoneNumber])
    await sql`
      insert into failed_attempt (key, failures, locked_until)
      values (${`name:${account}`}, 10, now() + interval '15 minutes')`.execute(db);
}

async function failures(db: Db): Promise<Record<string, number>> {
  const rows = await db.selectFrom('failedAttempt').select(['key', 'failures']).execute();
  return Object.fromEntries(rows.map((row) => [row.key.replace(/\d+$/, '…'), row.failures]));
}

test.each(names)(
  'an attacker who locks %s keeps the owner out of new browsers, but not out of a trusted one',
  async (account) => {
    await using li = await openHome();
    await lockNames(li.db);

    expect(await logIn(li.app.browser(), { account })).toMatchObject(locked);
    expect(await logIn(li.home, { account })).toMatchObject({ status: 200, body: { id: li.userId } });
    // That login has not unlocked the name for other browsers.
    expect(await logIn(li.app.browser(), { account })).toMatchObject(locked);
  },
);

test('a browser stays trusted after a logout', async () => {
  await using li = await openHome();
  await li.home.call('GET', '/custom/logout');
  await lockNames(li.db);

  expect(await logIn(li.home)).toMatchObject({ status: 200 });
});

test('a trusted browser has ten tries of its own, which lock no other browser', async () => {
  await using li = await openHome();
  for (let i = 0; i < 10; i++)
    expect(await logInWithCaptcha(li.db, li.home, { password: 'wrong' })).toMatchObject({ status: 401 });

  expect(await logInWithCaptcha(li.db, li.home)).toMatchObject(locked);
  for (const account of names) expect(await logInWithCaptcha(li.db, li.home, { account })).toMatchObject(locked);
  expect(await failures(li.db)).toEqual({ 'browser:…': 10 });
  expect(await logInWithCaptcha(li.db, li.app.browser())).toMatchObject({ status: 200 });
});

test('a success resets the browser’s failures', async () => {
  await using li = await openHome();
  await logIn(li.home, { password: 'wrong' });
  expect(await failures(li.db)).toEqual({ 'browser:…': 1 });

  await logIn(li.home);

  expect(await failures(li.db)).toEqual({});
});

test('a trusted browser needs a captcha after three wrong passwords of its own, not after those of others', async () => {
  await using li = await openHome();
  for (let i = 0; i < 3; i++) {
    const headers = { 'x-forwarded-for': `203.0.113.${i}` };
    expect(await logIn(li.app.browser(), { password: 'wrong', headers })).toMatchObject({ status: 401 });
  }
  const asked = { status: 403, body: { code: 'captcha.required' } };
  expect(await logIn(li.app.browser())).toMatchObject(asked);
  expect(await logIn(li.home)).toMatchObject({ status: 200 });

  for (let i = 0; i < 3; i++) {
    const headers = { 'x-forwarded-for': `203.0.113.${10 + i}` };
    expect(await logIn(li.home, { password: 'wrong', headers })).toMatchObject({ status: 401 });
  }
  expect(await logIn(li.home, { headers: { 'x-forwarded-for': '203.0.113.20' } })).toMatchObject(asked);
});

test('a forged cookie and another account’s cookie make no browser trusted', async () => {
  await using li = await openHome();
  const [junk, wangs] = [li.app.browser(), li.app.browser()];
  await logIn(wangs, { account: 'wang' });
  await lockNames(li.db);

  for (const value of ['A'.repeat(43), 'junk', `${'A'.repeat(43)}.${'B'.repeat(43)}`]) {
    junk.cookies.set('trusted', value);
    expect(await logIn(junk)).toMatchObject(locked);
  }
  expect(await logInWithCaptcha(li.db, wangs)).toMatchObject(locked);
  expect(await logInWithCaptcha(li.db, wangs, { account: 'nobody' })).toMatchObject({
    status: 401,
    body: { code: 'login.failed' },
  });
});

test('a browser can be trusted for several accounts', async () => {
  await using li = await openHome();
  await logIn(li.home, { account: 'wang' });
  await lockNames(li.db);

  expect(await logIn(li.home)).toMatchObject({ status: 200 });
  expect(await logIn(li.home, { account: 'wang', password: 'wrong' })).toMatchObject({ status: 401 });
  expect(await failures(li.db)).toMatchObject({ 'browser:…': 1 });
});

test('each login replaces the browser’s secret, and the old one becomes invalid', async () => {
  await using li = await openHome();
  const stolen = li.app.browser();
  stolen.cookies.set('trusted', li.home.cookies.get('trusted') ?? '');
  await logIn(li.home);
  await lockNames(li.db);

  expect(await logIn(stolen)).toMatchObject(locked);
  expect(await logIn(li.home)).toMatchObject({ status: 200 });
  expect(await li.db.selectFrom('trustedBrowser').select('userId').execute()).toEqual([{ userId: li.userId }]);
});

test('the cookie lasts half a year, is HttpOnly, and has the prefix __Host- over https', async () => {
  await using li = await openHome();
  const headers = { 'x-forwarded-proto': 'https', origin: 'https://localhost' };

  const cookiesOf = ({ headers: sent }: { headers: Record<string, unknown> }) => sent['set-cookie'];
  expect(cookiesOf(await logIn(li.home))).toContainEqual(
    expect.stringMatching(/^trusted=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
  );
  expect(cookiesOf(await logIn(li.home, { headers }))).toContainEqual(
    expect.stringMatching(/^__Host-trusted=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  );
  const [row] = await li.db.selectFrom('trustedBrowser').select('secretHash').execute();
  expect(row?.secretHash).toHaveLength(32);
});

test('a browser becomes trusted after the second step, not after the first', async () => {
  await using li = await openHome();
  const { secret } = await turnOnTotp(li.home);
  const other = li.app.browser();
  const { body } = await logIn(other);
  const { token } = (body as { second_factor: { token: string } }).second_factor;
  expect(other.cookies.has('trusted')).toBe(false);

  await other.call('POST', '/custom/login/second/', { token, code: totpCode(secret, { stepsLater: 1 }) });

  expect(other.cookies.get('trusted')).toMatch(/^[\w-]{43}$/);
  await lockNames(li.db);
  expect(await logIn(other)).toMatchObject({ status: 200 });
});

type Home = Awaited<ReturnType<typeof openHome>>;

async function sessionIdOf(browser: TestBrowser): Promise<number> {
  const { body } = await browser.call('GET', '/api/user/sessions/');
  return (body as { id: number; is_current: boolean }[]).find((one) => one.is_current)?.id ?? 0;
}

const changePassword = { old_password: testPassword, new_password: 'another good one' };
const endings: [what: string, end: (home: Home, other: TestBrowser) => Promise<unknown>][] = [
  ['logging out everywhere else', async ({ home }) => await home.call('DELETE', '/api/user/sessions/')],
  ['changing the password', async ({ home }) => await home.call('POST', '/custom/password/', changePassword)],
  [
    'ending its session from the list',
    async (li, other) => await li.home.call('DELETE', `/api/user/sessions/${await sessionIdOf(other)}/`),
  ],
];

test.each(endings)('%s ends the trust in another browser, but not in the current one', async (_what, end) => {
  await using li = await openHome();
  const other = li.app.browser();
  await logIn(other);

  await end(li, other);
  await lockNames(li.db);

  expect(await logIn(other)).toMatchObject(locked);
  const passwords = [testPassword, changePassword.new_password];
  const replies = [];
  for (const password of passwords) replies.push((await logIn(li.home, { password })).status);
  expect(replies).toContain(200);
});

test('a password reset and the deletion of the account end the trust in every browser', async () => {
  await using li = await openHome();
  await logIn(li.app.browser(), { account: 'wang' });
  const known = async () =>
    (await li.db.selectFrom('trustedBrowser').select('userId').execute()).map((row) => row.userId);

  await resetPassword(li.db, li.userId, 'another good one');
  expect(await known()).toEqual([li.otherId]);
  await li.db.deleteFrom('userAccount').where('id', '=', li.otherId).execute();
  expect(await known()).toEqual([]);
});

test('an account has at most twenty trusted browsers, each for half a year after its last login', async () => {
  await using li = await openHome();
  for (let i = 0; i < 20; i++) expect(await logIn(li.app.browser())).toMatchObject({ status: 200 });
  await lockNames(li.db);
  expect(await li.db.selectFrom('trustedBrowser').select('id').execute()).toHaveLength(20);
  expect(await logIn(li.home)).toMatchObject(locked);

  const age = async (days: number) =>
    await sql`update trusted_browser set last_used_at = now() - make_interval(days => ${days})`.execute(li.db);
  await age(179);
  await deleteOldTrusted(li.db);
  expect(await li.db.selectFrom('trustedBrowser').select('id').execute()).toHaveLength(20);
  await age(181);
  await deleteOldTrusted(li.db);
  expect(await li.db.selectFrom('trustedBrowser').select('id').execute()).toEqual([]);
});
