import type { TrustedBrowser } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  insertAccount,
  logInFirstStep,
  openAccountApp,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { resetPassword } from '../users/index.ts';

const list = '/api/user/trusted_browsers/';

/** An account with two-step login, and a browser in which its user has passed the second step. */
async function openHome({ trust }: { trust?: boolean | undefined } = { trust: true }) {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const app = stack.use(await openAccountApp(t.db));
  const userId = await insertAccount(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(userId));
  const logIn = async (browser: TestBrowser, trustBrowser?: boolean) => {
    const { second_factor: need } = await logInFirstStep(browser);
    const recovery_code = recoveryCodes.pop();
    const body = { token: need?.token, recovery_code, trust_browser: trustBrowser };
    const reply = await browser.call('POST', '/custom/login/second/', body);
    if (reply.status !== 200) throw new Error(`not logged in: ${reply.text}`);
  };
  const home = app.browser();
  await logIn(home, trust);
  const opened = stack.move();
  return {
    ...{ db: t.db, app, userId, home, logIn },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

async function needsSecondStep(browser: TestBrowser): Promise<boolean> {
  return (await logInFirstStep(browser)).second_factor !== null;
}

async function listTrusted(browser: TestBrowser): Promise<TrustedBrowser[]> {
  return (await browser.call('GET', list)).body as TrustedBrowser[];
}

const passDays = async (db: Db, days: number) =>
  await sql`
    update trusted_browser
    set skips_second_step_until = skips_second_step_until - make_interval(days => ${days})`.execute(db);

test('a browser that its user trusts skips the second step for 30 days, through logouts and further logins', async () => {
  await using li = await openHome();
  expect(await listTrusted(li.home)).toMatchObject([{ is_current: true, ip: '127.0.0.1' }]);

  await li.home.call('GET', '/custom/logout');
  expect(await needsSecondStep(li.home)).toBe(false);
  await passDays(li.db, 29);
  expect(await needsSecondStep(li.home)).toBe(false);
  await passDays(li.db, 1);

  expect(await needsSecondStep(li.home)).toBe(true);
  expect(await needsSecondStep(li.app.browser())).toBe(true);
});

test.each([false, undefined])('without the choice (%s) a browser does not skip the second step', async (trust) => {
  await using li = await openHome({ trust });
  expect(await listTrusted(li.home)).toEqual([]);
  expect(await needsSecondStep(li.home)).toBe(true);
});

test('a login that skipped the second step does not confirm the identity', async () => {
  await using li = await openHome();
  expect(await needsSecondStep(li.home)).toBe(false);

  expect((await li.home.call('GET', '/custom/confirm/')).body).toMatchObject({
    confirmed_until: null,
    methods: ['totp', 'recovery_code'],
  });
  const refused = { status: 403, body: { code: 'session.confirm-required' } };
  expect(await li.home.call('GET', '/api/user/export/')).toMatchObject(refused);
  expect(await li.home.call('DELETE', '/api/user/totp/')).toMatchObject(refused);
  expect(await li.home.call('POST', '/custom/confirm/', { password: testPassword })).toMatchObject({ status: 422 });
});

test('a wrong password is wrong in a trusted browser, too', async () => {
  await using li = await openHome();
  expect(await li.home.call('POST', '/custom/login/', { account: 'li', password: 'wrong' })).toMatchObject({
    status: 401,
  });
});

test('a trusted browser does not log in to a disabled account', async () => {
  await using li = await openHome();
  await li.db.updateTable('userAccount').set({ disabledAt: new Date() }).execute();
  await li.home.call('GET', '/api/login_status/'); // another CSRF token: the session counts no more

  expect(await li.home.call('POST', '/custom/login/', { account: 'li', password: testPassword })).toMatchObject({
    body: { code: 'user.disabled' },
  });
});

test('trust is the account’s own', async () => {
  await using li = await openHome();
  const wangId = await insertAccount(li.db, { username: 'wang' });
  await turnOnTotp(await li.app.browserOf(wangId));

  expect((await logInFirstStep(li.home, 'wang')).second_factor).not.toBeNull();
});

test('the former secret of a browser does not skip the second step', async () => {
  await using li = await openHome();
  const thief = li.app.browser();
  thief.cookies.set('trusted', li.home.cookies.get('trusted') ?? '');
  expect(await needsSecondStep(li.home)).toBe(false);

  expect(await needsSecondStep(thief)).toBe(true);
});

test('a user revokes the trust of one browser, and nobody else does', async () => {
  await using li = await openHome();
  const [{ id } = { id: 0 }] = await listTrusted(li.home);
  const other = await li.app.browserOf(await insertAccount(li.db, { username: 'wang' }));
  const unknown = { status: 404, body: { code: 'trusted-browser.not-found' } };
  expect(await listTrusted(other)).toEqual([]);
  expect(await other.call('DELETE', `${list}${id}/`)).toMatchObject(unknown);
  expect(await needsSecondStep(li.home)).toBe(false);

  expect((await li.home.call('DELETE', `${list}${id}/`)).status).toBe(200);

  expect(await li.home.call('DELETE', `${list}${id}/`)).toMatchObject(unknown);
  expect(await needsSecondStep(li.home)).toBe(true);
});

type Home = Awaited<ReturnType<typeof openHome>>;

const endings: [what: string, end: (home: Home) => Promise<unknown>][] = [
  [
    'changing the password',
    async ({ home }) => {
      const another = 'another good one';
      await home.call('POST', '/custom/password/', { old_password: testPassword, new_password: another });
      await home.call('POST', '/custom/password/', { old_password: another, new_password: testPassword });
    },
  ],
  ['logging out everywhere else', async ({ home }) => await home.call('DELETE', '/api/user/sessions/')],
  ['a reset of the password', async ({ db, userId }) => await resetPassword(db, userId, testPassword)],
  [
    'turning two-step login off and on',
    async ({ home }) => {
      await home.call('PATCH', '/custom/profile/', { two_step: false });
      await turnOnTotp(home);
    },
  ],
];

test.each(endings)('%s ends the trust of every browser', async (_what, end) => {
  await using li = await openHome();
  const other = li.app.browser();
  await li.logIn(other, true);
  expect(await listTrusted(li.home)).toHaveLength(2);

  await end(li);

  expect(await needsSecondStep(li.home)).toBe(true);
  expect(await needsSecondStep(other)).toBe(true);
});

test('ending a session from the list ends the trust of its browser alone', async () => {
  await using li = await openHome();
  const other = li.app.browser();
  await li.logIn(other, true);
  const sessions = (await other.call('GET', '/api/user/sessions/')).body as { id: number; is_current: boolean }[];
  const { id } = sessions.find((session) => session.is_current) ?? { id: 0 };

  expect((await li.home.call('DELETE', `/api/user/sessions/${id}/`)).status).toBe(200);

  expect(await needsSecondStep(other)).toBe(true);
  expect(await needsSecondStep(li.home)).toBe(false);
});
