import { must } from '@tongtu/base';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, logInFirstStep, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';

const second = '/custom/login/second/';
const isLoggedIn = async (browser: TestBrowser) =>
  ((await browser.call('GET', '/api/login_status/')).body as { logged_in: boolean }).logged_in;

async function firstStep(browser: TestBrowser) {
  return must((await logInFirstStep(browser)).second_factor, 'a second step');
}

test('the password starts a session only when the account has no second factor', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = app.browser();

  expect(await logInFirstStep(browser)).toEqual({ id, second_factor: null });
  await turnOnTotp(browser);
  const other = app.browser();
  const reply = await logInFirstStep(other);

  expect(reply).toEqual({
    id: 0,
    second_factor: {
      token: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
      expires_at: expect.any(String),
    },
  });
  expect(other.cookies.has('sessionid')).toBe(false);
  expect(await isLoggedIn(other)).toBe(false);
  expect(await isLoggedIn(browser)).toBe(true);
});

test('a code of the app finishes the login, and the session counts as confirmed', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(id));
  const browser = app.browser();
  const { token } = await firstStep(browser);

  const wrong = await browser.call('POST', second, { token, code: '000000' });
  const reply = await browser.call('POST', second, { token, code: totpCode(secret, { stepsLater: 1 }) });

  expect(wrong).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
  expect(reply).toMatchObject({ status: 200, body: { id, second_factor: null } });
  expect(await isLoggedIn(browser)).toBe(true);
  expect(browser.cookies.has('loginstep')).toBe(false);
  expect(await browser.call('GET', '/custom/confirm/')).toMatchObject({
    body: { methods: ['totp', 'recovery_code'], confirmed_until: expect.any(String) },
  });
});

test('a used code is refused in every browser', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const code = totpCode(secret, { stepsLater: 1 });
  const [one, other] = [app.browser(), app.browser()];
  const tokens = [(await firstStep(one)).token, (await firstStep(other)).token];

  expect((await one.call('POST', second, { token: tokens[0], code })).status).toBe(200);
  const reply = await other.call('POST', second, { token: tokens[1], code });

  expect(reply).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
});

test('of eight browsers that send one code at once, one is logged in', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const code = totpCode(secret, { stepsLater: 1 });
  const browsers = Array.from({ length: 8 }, () => app.browser());
  const tokens: string[] = [];
  for (const browser of browsers) tokens.push((await firstStep(browser)).token);

  const replies = await Promise.all(
    browsers.map((browser, index) => browser.call('POST', second, { token: tokens[index], code })),
  );

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(422)]);
});

test('of eight browsers that send one recovery code at once, one is logged in', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browsers = Array.from({ length: 8 }, () => app.browser());
  const tokens: string[] = [];
  for (const browser of browsers) tokens.push((await firstStep(browser)).token);

  const replies = await Promise.all(
    browsers.map((browser, index) =>
      browser.call('POST', second, { token: tokens[index], recovery_code: recoveryCodes[0] }),
    ),
  );

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(422)]);
});

test('of several concurrent right codes for one login one is used', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(id));
  const browser = app.browser();
  const { token } = await firstStep(browser);

  const replies = await Promise.all(
    recoveryCodes.slice(0, 5).map((code) => browser.call('POST', second, { token, recovery_code: code })),
  );

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => (body as { code?: string }).code === 'second-factor.expired')).toHaveLength(4);
  const left = await t.db.selectFrom('recoveryCode').select('codeHash').where('usedAt', 'is', null).execute();
  expect(left).toHaveLength(9);
});

test('a recovery code may be typed in upper or lower case and without its dash', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const typed = ` ${must(recoveryCodes[0], 'a code').toUpperCase().replace('-', ' ')} `;

  expect(recoveryCodes).toHaveLength(10);
  expect((await browser.call('POST', second, { token, recovery_code: typed })).status).toBe(200);
});

test('the database holds no usable recovery code or secret', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { secret, recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));

  const { rows } = await t.pool.query('select r.*, t.* from recovery_code r, totp t');

  const held = JSON.stringify(rows.map((row) => Object.values(row).map(String)));
  for (const text of [secret, ...recoveryCodes]) expect(held).not.toContain(text);
});

test('another browser cannot finish the login, nor get its passkey options', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const thief = app.browser();
  await thief.call('GET', '/api/login_status/');

  const stolen = await thief.call('POST', second, { token, recovery_code: recoveryCodes[0] });
  const options = await thief.call('POST', `${second}passkey_options/`, { token });

  expect(stolen).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
  expect(options).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
  expect((await browser.call('POST', second, { token, recovery_code: recoveryCodes[0] })).status).toBe(200);
});

test('a login step expires after five minutes', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const { expiresAt } = await t.db.selectFrom('loginStep').select('expiresAt').executeTakeFirstOrThrow();
  await t.db
    .updateTable('loginStep')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();

  const reply = await browser.call('POST', second, { token, recovery_code: recoveryCodes[0] });

  expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(300_000);
  expect(reply).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
});

test('one login has five tries, and ten wrong codes lock the account’s second step', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const codes: unknown[] = [];
  for (let login = 0; login < 3; login++) {
    const browser = app.browser();
    const { token } = await firstStep(browser);
    for (let attempt = 0; attempt < 6; attempt++) {
      const reply = await browser.call('POST', second, { token, recovery_code: 'wrong' });
      codes.push((reply.body as { code: string }).code);
    }
    codes.push(
      ((await browser.call('POST', second, { token, recovery_code: recoveryCodes[0] })).body as { code: string }).code,
    );
  }

  const wrong = Array(5).fill('second-factor.wrong');
  const ended = Array(2).fill('second-factor.expired');
  expect(codes.slice(0, 14)).toEqual([...wrong, ...ended, ...wrong, ...ended]);
  expect(codes.slice(14)).toEqual([...Array(5).fill('login.locked'), ...ended]);
});

test('the daily limit counts wrong codes and not right ones', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  for (const recovery_code of recoveryCodes.slice(0, 2)) {
    const browser = app.browser();
    const { token } = await firstStep(browser);
    expect(await browser.call('POST', second, { token, recovery_code })).toMatchObject({ status: 200 });
  }
  const typed: unknown[] = [];
  for (let login = 0; login < 9; login++) {
    // The state of a quarter of an hour later: only the daily counts remain.
    await t.db.deleteFrom('failedAttempt').execute();
    await t.db.deleteFrom('rateCount').where('key', 'like', 'POST %').execute();
    const browser = app.browser();
    const { token } = await firstStep(browser);
    for (let attempt = 0; attempt < 5; attempt++) {
      const { body } = await browser.call('POST', second, { token, recovery_code: 'wrong' });
      typed.push((body as { code: string }).code);
    }
  }
  expect(typed.slice(0, 40)).toEqual(Array(40).fill('second-factor.wrong'));
  expect(typed.slice(40)).toEqual(Array(5).fill('second-factor.locked'));
});

test('the second step replaces the browser’s session id', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const { recoveryCodes } = await turnOnTotp(browser);
  const planted = must(browser.cookies.get('sessionid'), 'a session');
  const { token } = await firstStep(browser);

  await browser.call('POST', second, { token, recovery_code: recoveryCodes[0] });

  expect(browser.cookies.get('sessionid')).not.toBe(planted);
  const old = app.browser();
  old.cookies.set('sessionid', planted);
  expect(await isLoggedIn(old)).toBe(false);
  expect(await isLoggedIn(browser)).toBe(true);
});

test('the second step needs the CSRF header like any other call', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const { recoveryCodes } = await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const answer = { token, recovery_code: recoveryCodes[0] };

  const forged = await browser.call('POST', second, answer, { 'x-csrftoken': undefined });
  const foreign = await browser.call('POST', second, answer, { origin: 'http://nas.localhost' });

  expect(forged).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  expect(foreign).toMatchObject({ status: 403, body: { code: 'request.cross-site' } });
});
