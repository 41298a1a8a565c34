import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { captureLog } from '../../testing/capture-log.ts';
import {
  insertAccount,
  logInFirstStep,
  openAccountApp,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { deleteOldKnownLogins } from './known-login-store.ts';
import { notifyOfLogin } from './notify-of-login.ts';
import { addTestChannel } from './testing/alert-fixtures.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36';
const newerChrome = chrome.replace('141', '142');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const shenzhen = '113.92.1.1';
const shanghai = '202.96.209.5';

async function openAccount(t: TestDb) {
  const app = await openAccountApp(t.db);
  const userId = await insertAccount(t.db);
  await addTestChannel(t.db, userId);
  return {
    app,
    userId,
    async logIn(userAgent: string, ip: string, browser = app.browser()): Promise<TestBrowser> {
      const headers = { 'user-agent': userAgent, 'x-forwarded-for': ip };
      await browser.call('GET', '/api/login_status/');
      const body = { account: 'li', password: testPassword };
      const reply = await browser.call('POST', '/custom/login/', body, headers);
      expect(reply.status).toBe(200);
      return browser;
    },
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

async function listDetails(t: TestDb): Promise<object[]> {
  return (await t.db.selectFrom('alertDelivery').select('details').orderBy('id').execute()).map(
    ({ details }) => details,
  );
}

test('a login from another browser or place is reported with both', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(chrome, shenzhen);

  await account.logIn(firefox, shenzhen);
  await account.logIn(newerChrome, shanghai);

  expect(await listDetails(t)).toEqual([
    { event: 'new_login', browser: 'Firefox · Linux', place: '广东省深圳市', ip: shenzhen, at: expect.any(String) },
    { event: 'new_login', browser: 'Chrome · Windows', place: '上海市', ip: shanghai, at: expect.any(String) },
  ]);
});

test('the first login and a known browser at a known place are not reported', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);

  await account.logIn(chrome, shenzhen);
  await account.logIn(newerChrome, shenzhen);
  expect(await listDetails(t)).toEqual([]);

  await account.logIn(firefox, shanghai);
  await account.logIn(chrome, shanghai);
  expect(await listDetails(t)).toHaveLength(1);
});

test('a login stays known for 90 days, even when its session has ended', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(chrome, shenzhen);
  await t.db.deleteFrom('session').execute();

  await account.logIn(chrome, shenzhen);
  await account.logIn(firefox, shanghai);
  expect(await listDetails(t)).toHaveLength(1);

  await t.db.deleteFrom('session').execute();
  const lastAt = sql<Date>`last_at - interval '91 days'`;
  await t.db.updateTable('knownLogin').set({ lastAt }).where('browser', '=', 'Firefox · Linux').execute();
  await deleteOldKnownLogins(t.db);
  await account.logIn(firefox, shanghai);
  expect(await listDetails(t)).toHaveLength(2);
});

test('the last known login never expires, so a login after a long time is reported', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(firefox, shanghai);
  await account.logIn(chrome, shenzhen);
  await t.db.deleteFrom('session').execute();
  await t.db.deleteFrom('alertDelivery').execute();
  await t.db
    .updateTable('knownLogin')
    .set({ lastAt: sql<Date>`last_at - interval '200 days'` })
    .execute();
  await deleteOldKnownLogins(t.db);
  await deleteOldKnownLogins(t.db);

  expect(await t.db.selectFrom('knownLogin').select('place').execute()).toEqual([{ place: '广东省深圳市' }]);
  await account.logIn(firefox, shanghai);
  expect(await listDetails(t)).toMatchObject([{ browser: 'Firefox · Linux', place: '上海市' }]);
});

test('active sessions without a known login count as known', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(chrome, shenzhen);
  await t.db.deleteFrom('knownLogin').execute();

  await account.logIn(chrome, shenzhen);
  expect(await listDetails(t)).toEqual([]);
  await account.logIn(firefox, '8.8.8.8');
  expect(await listDetails(t)).toMatchObject([{ place: '美国' }]);
});

test('a login with a second step is reported once, after the second step', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  const { secret } = await turnOnTotp(await account.logIn(chrome, shenzhen));

  const browser = account.app.browser();
  const { second_factor } = await logInFirstStep(browser);
  expect(await listDetails(t)).toEqual([]);
  const body = { token: second_factor?.token, code: totpCode(secret, { stepsLater: 1 }) };
  const headers = { 'user-agent': firefox, 'x-forwarded-for': shanghai };
  expect(await browser.call('POST', '/custom/login/second/', body, headers)).toMatchObject({ status: 200 });

  expect(await listDetails(t)).toMatchObject([{ event: 'new_login', browser: 'Firefox · Linux', place: '上海市' }]);
});

test('a login succeeds when its alert cannot be saved', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(chrome, shenzhen);
  await sql`drop table known_login`.execute(t.db);

  const browser = await account.logIn(firefox, shanghai);

  expect((await browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: true });
  expect(await listDetails(t)).toEqual([]);
  const { log, lines } = captureLog();
  await t.db.transaction().execute(async (tx) => {
    await notifyOfLogin(tx, { userId: account.userId, ip: shanghai, userAgent: firefox }, log);
    await tx.updateTable('userAccount').set({ username: 'still works' }).execute();
  });
  expect(lines).toMatchObject([{ userId: account.userId, msg: 'the alert about a login could not be saved' }]);
});

test('a login that is rolled back is not reported', async () => {
  await using t = await openTestDb();
  await using account = await openAccount(t);
  await account.logIn(chrome, shenzhen);
  const login = { userId: account.userId, ip: shanghai, userAgent: firefox };

  const rolledBack = t.db.transaction().execute(async (tx) => {
    await notifyOfLogin(tx, login, captureLog().log);
    throw new Error('the login fails');
  });

  await expect(rolledBack).rejects.toThrow('the login fails');
  expect(await listDetails(t)).toEqual([]);
});
