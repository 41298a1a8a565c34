import { must } from '@tongtu/base';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, logInFirstStep, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import type { TestApp, TestBrowser } from '../../testing/apps/open-test-app.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { resetPassword } from '../users/index.ts';

type Json = Record<string, unknown>;

const second = '/custom/login/second/';
const confirm = '/custom/confirm/';
const right = { status: 200 };
const lockedForTheDay = { status: 429, body: { code: 'second-factor.locked' } };

/** Sets the state of a quarter of an hour later, for a client at another address. */
async function clearShortLimits(db: Db): Promise<void> {
  await db.deleteFrom('failedAttempt').execute();
  await db.deleteFrom('rateCount').where('key', 'like', 'POST %').execute();
}

async function clearDailyLimit(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', 'second-factor %').execute();
}

/** A new browser passes the first step and tries the second with this proof. */
async function logIn(app: TestApp, proof: Json, password?: string) {
  const browser = app.browser();
  const { token } = must((await logInFirstStep(browser, 'li', password)).second_factor, 'a second step');
  return await browser.call('POST', second, { token, ...proof });
}

/** An attacker who has the password uses up the day's guesses at the login. */
async function exhaustLoginGuesses(db: Db, app: TestApp): Promise<void> {
  for (let login = 0; login < 8; login++) {
    await clearShortLimits(db);
    const browser = app.browser();
    const { token } = must((await logInFirstStep(browser)).second_factor, 'a second step');
    for (let i = 0; i < 5; i++) await browser.call('POST', second, { token, recovery_code: 'wrong' });
  }
  await clearShortLimits(db);
  expect(await logIn(app, { recovery_code: 'wrong' })).toMatchObject(lockedForTheDay);
}

async function addPasskey(browser: TestBrowser, key: SoftwareAuthenticator): Promise<void> {
  const { options } = (await browser.call('POST', '/api/user/passkeys/options/')).body as { options: Json };
  const added = await browser.call('POST', '/api/user/passkeys/', { name: 'k', response: key.create(options) });
  expect(added.status).toBe(201);
}

test('wrong codes at the login do not keep the owner from confirming', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const owner = await app.browserOf(await insertAccount(t.db));
  const { secret } = await turnOnTotp(owner);

  await exhaustLoginGuesses(t.db, app);

  expect(await owner.call('POST', confirm, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
});

test('wrong codes in sessions have a daily limit of their own, which does not affect the login', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const thief = await app.browserOf(await insertAccount(t.db));
  const { secret } = await turnOnTotp(thief);
  for (let i = 0; i < 40; i++) {
    if (i % 9 === 0) await clearShortLimits(t.db);
    expect(await thief.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject({ status: 422 });
  }
  await clearShortLimits(t.db);

  const refused = await thief.call('POST', confirm, { recovery_code: 'wrong' });

  expect(refused).toMatchObject(lockedForTheDay);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
  expect(await logIn(app, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
});

test('wrong codes of a session stop counting when the session is ended', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const owner = await app.browserOf(id);
  const { secret } = await turnOnTotp(owner);
  const thief = await app.browserOf(id);
  const typeWrong = async (browser: TestBrowser, times: number) => {
    for (let i = 0; i < times; i++) {
      if (i % 9 === 0) await clearShortLimits(t.db);
      expect(await browser.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject({ status: 422 });
    }
    await clearShortLimits(t.db);
  };
  await typeWrong(owner, 3);
  await typeWrong(thief, 37);
  expect(await owner.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject(lockedForTheDay);
  expect(await thief.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject(lockedForTheDay);

  expect(await owner.call('DELETE', '/api/user/sessions/')).toMatchObject(right);

  expect(await owner.call('POST', confirm, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
  // The owner's own three wrong codes still count.
  const other = await app.browserOf(id);
  await typeWrong(other, 37);
  expect(await other.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject(lockedForTheDay);
});

test('ten wrong codes in a row lock only their own session', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const owner = await app.browserOf(id);
  const { secret } = await turnOnTotp(owner);
  const thief = await app.browserOf(id);
  for (let i = 0; i < 10; i++) await thief.call('POST', confirm, { recovery_code: 'wrong' });

  expect(await thief.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject({
    status: 429,
    body: { code: 'login.locked' },
  });
  expect(await owner.call('POST', confirm, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
});

test('of many concurrent wrong codes in several sessions no more are checked than the daily limit', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  await turnOnTotp(await app.browserOf(id));
  const browsers = [await app.browserOf(id), await app.browserOf(id), await app.browserOf(id)] as const;
  const typeWrong = async (browser: TestBrowser) => {
    const { body } = await browser.call('POST', confirm, { recovery_code: 'wrong' });
    return (body as { code: string }).code;
  };
  await typeWrong(browsers[0]);
  await t.db.updateTable('rateCount').set({ hits: 20 }).where('key', 'like', 'second-factor confirm %').execute();

  const codes = await Promise.all(
    browsers.flatMap((browser) => Array.from({ length: 8 }, async () => await typeWrong(browser))),
  );

  expect(codes.filter((code) => code === 'second-factor.wrong')).toHaveLength(20);
  expect(codes.filter((code) => code === 'second-factor.locked')).toHaveLength(4);
});

test('a passkey works while codes are locked', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const owner = await app.browserOf(await insertAccount(t.db));
  const key = new SoftwareAuthenticator();
  await addPasskey(owner, key);
  await exhaustLoginGuesses(t.db, app);
  for (let i = 0; i < 10; i++) await owner.call('POST', confirm, { recovery_code: 'wrong' });
  const optionsOf = async (browser: TestBrowser, url: string, body?: Json) =>
    ((await browser.call('POST', url, body)).body as { options: Json }).options;

  expect(await owner.call('POST', confirm, { recovery_code: 'wrong' })).toMatchObject({
    status: 429,
    body: { code: 'login.locked' },
  });
  const inSession = key.get(await optionsOf(owner, `${confirm}passkey_options/`));
  expect(await owner.call('POST', confirm, { passkey: inSession })).toMatchObject(right);
  const browser = app.browser();
  const { token } = must((await logInFirstStep(browser)).second_factor, 'a second step');
  const atLogin = key.get(await optionsOf(browser, `${second}passkey_options/`, { token }));
  expect(await browser.call('POST', second, { token, passkey: atLogin })).toMatchObject(right);
});

test('wrong answers of passkeys do not lock codes', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const owner = await app.browserOf(await insertAccount(t.db));
  const key = new SoftwareAuthenticator();
  await addPasskey(owner, key);
  const { secret } = await turnOnTotp(owner);
  for (let i = 0; i < 11; i++) {
    const { options } = (await owner.call('POST', `${confirm}passkey_options/`)).body as { options: Json };
    const answer = key.get({ ...options, challenge: 'AAAA' });
    expect(await owner.call('POST', confirm, { passkey: answer })).toMatchObject({
      body: { code: 'second-factor.wrong' },
    });
  }

  expect(await owner.call('POST', confirm, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
});

test('codes that the daily limit refuses do not count as wrong ones in a row', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  await exhaustLoginGuesses(t.db, app);
  for (let i = 0; i < 10; i++) {
    expect(await logIn(app, { recovery_code: 'wrong' })).toMatchObject(lockedForTheDay);
  }
  await clearDailyLimit(t.db);

  expect(await logIn(app, { code: totpCode(secret, { stepsLater: 1 }) })).toMatchObject(right);
});

test('resetting the password ends the lock after ten wrong codes, but not the daily limit', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const owner = await app.browserOf(id);
  await turnOnTotp(owner);
  await exhaustLoginGuesses(t.db, app);
  for (let i = 0; i < 10; i++) await owner.call('POST', confirm, { recovery_code: 'wrong' });

  await resetPassword(t.db, id, 'a better password');

  expect(await t.db.selectFrom('failedAttempt').select('key').execute()).toEqual([]);
  expect(await logIn(app, { recovery_code: 'wrong' }, 'a better password')).toMatchObject(lockedForTheDay);
});
