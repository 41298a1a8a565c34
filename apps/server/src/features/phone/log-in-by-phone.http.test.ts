import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { findOrCreateUser } from './log-in-by-phone.ts';
import { insertUser, openPhoneApp, password, post, sealingKey } from './testing/open-phone-app.ts';

const phone = '13800138000';
const e164 = '+8613800138000';
const loginPath = '/api/verify/login/phone/';
const resetPath = '/api/verify/password/reset/';

const logIn = (browser: TestBrowser, code: string, more: object = {}) =>
  post(browser, loginPath, { phone, code, accepted_terms: true, ...more });
const logInByPassword = (browser: TestBrowser, account: string, secret: string) =>
  post(browser, '/custom/login/', { account, password: secret });

test('a first login creates an account with a name, a token and the inviting user', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'login', phone);

  const reply = await logIn(browser, code, { aff: 'friend' });

  const users = await t.db
    .selectFrom('userAccount')
    .select(['id', 'username', 'phoneNumber', 'passwordHash', 'acceptedTermsOfService', 'isStaff', 'invitedBy'])
    .execute();
  expect(users).toEqual([
    {
      id: expect.any(Number),
      username: expect.stringMatching(/^用户\w{8}$/),
      phoneNumber: e164,
      passwordHash: null,
      acceptedTermsOfService: true,
      isStaff: false,
      invitedBy: 'friend',
    },
  ]);
  const { id } = users[0]!;
  expect(reply).toMatchObject({ status: 200, body: { id, second_factor: null } });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
  expect(await t.db.selectFrom('accountToken').select('userId').execute()).toEqual([{ userId: id }]);
});

test.each([
  ['invitation', 'registration.by-invitation'],
  ['closed', 'registration.closed'],
] as const)(
  'where registration is %s an unknown number gets no account, and a known one logs in',
  async (registration, code) => {
    await using t = await openTestDb();
    await using app = await openPhoneApp(t.db);
    await t.db
      .insertInto('setting')
      .values({ name: 'registration', value: JSON.stringify(registration) })
      .execute();
    const browser = app.browser();
    const tryLogin = async () => await logIn(browser, await app.receiveCode(browser, 'login', phone));

    expect(await tryLogin()).toMatchObject({ status: 403, body: { code } });
    expect(await t.db.selectFrom('userAccount').select('id').execute()).toEqual([]);
    const id = await insertUser(t.db, { username: 'li', phone: e164 });
    expect(await tryLogin()).toMatchObject({ status: 200, body: { id } });
  },
);

test('a login with a known number has the same reply as a first login', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();

  const reply = await logIn(browser, await app.receiveCode(browser, 'login', phone));

  expect(reply).toMatchObject({ status: 200, body: { id, second_factor: null } });
  const row = await t.db.selectFrom('userAccount').select('acceptedTermsOfService').executeTakeFirstOrThrow();
  expect(row.acceptedTermsOfService).toBe(true);
});

test('the reply to a wrong code is the same for known and unknown numbers, and no account is created', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);

  const replies = [];
  for (const number of [phone, '13900139000']) {
    const browser = app.browser();
    const code = await app.receiveCode(browser, 'login', number);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const path of [loginPath, resetPath]) {
      const extra = path === loginPath ? { accepted_terms: true } : { new_password: 'a better password' };
      const { status, body } = await post(browser, path, { phone: number, code: wrong, ...extra });
      replies.push({ path, status, code: (body as { code: string }).code });
    }
  }

  expect(replies.slice(0, 2)).toEqual(replies.slice(2));
  expect(replies.slice(0, 2)).toEqual([
    { path: loginPath, status: 422, code: 'code.wrong' },
    { path: resetPath, status: 422, code: 'code.expired' },
  ]);
  expect(await t.db.selectFrom('userAccount').select('username').execute()).toEqual([{ username: 'li' }]);
});

test('without consent to the terms no account is created, and the code stays valid', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'login', phone);

  const refused = await logIn(browser, code, { accepted_terms: false });

  expect(refused).toMatchObject({ status: 422, body: { errors: { accepted_terms: ['请先阅读并同意服务条款'] } } });
  expect((await logIn(browser, code)).status).toBe(200);
});

test('of many logins at once with one code one succeeds', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'login', phone);
  await browser.call('GET', '/api/login_status/');

  const replies = await Promise.all(Array.from({ length: 6 }, () => logIn(browser, code)));

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await t.db.selectFrom('session').select('userId').execute()).toHaveLength(1);
});

test('the code of one browser is not valid in another, whose tries do not count', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'login', phone);
  const otherBrowser = app.browser();
  await app.receiveCode(otherBrowser, 'login', '13900139000');

  for (let i = 0; i < 6; i++) {
    expect(await logIn(otherBrowser, code)).toMatchObject({ status: 422, body: { code: 'code.expired' } });
  }

  expect((await logIn(browser, code)).status).toBe(200);
});

test('several first logins of one number at once create one account', async () => {
  await using t = await openTestDb();
  const deps = { db: t.db, sealingKey, codeKey: Buffer.alloc(32, 5) };

  const ids = await Promise.all(
    Array.from({ length: 6 }, () => findOrCreateUser(deps, { phone: e164, aff: undefined })),
  );

  expect(new Set(ids).size).toBe(1);
  expect(await t.db.selectFrom('userAccount').select('id').execute()).toEqual([{ id: ids[0] }]);
  expect(await t.db.selectFrom('accountToken').select('userId').execute()).toEqual([{ userId: ids[0] }]);
});

test('a reset by phone sets the password and ends all sessions and the lock-out', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const open = await app.browserOf(id);
  const lockedUntil = new Date(Date.now() + 60_000);
  for (const account of ['name:li', `name:${e164}`, `user:${id}`]) {
    await t.db.insertInto('failedAttempt').values({ key: account, failures: 10, lockedUntil }).execute();
  }
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'reset', phone);

  const reply = await post(browser, resetPath, { phone, code, new_password: 'a better password' });

  expect(reply).toMatchObject({ status: 200, body: { ok: true } });
  expect((await open.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
  expect((await logInByPassword(app.browser(), 'li', password)).status).toBe(401);
  expect((await logInByPassword(app.browser(), phone, 'a better password')).status).toBe(200);
  const again = await post(browser, resetPath, { phone, code, new_password: 'yet another password' });
  expect(again).toMatchObject({ status: 422, body: { code: 'code.expired' } });
});

test('a weak new password is refused at its field, and the code stays valid', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'katherine', phone: '+8613951728460' });
  await t.db.updateTable('userAccount').set({ email: 'Kate.Winters@example.com' }).where('id', '=', id).execute();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'reset', '13951728460');
  const reset = async (new_password: string) =>
    await post(browser, resetPath, { phone: '13951728460', code, new_password });

  for (const weak of ['Katherine1', 'kate.winters@example.com', '13951728460', '1234567890'])
    expect(await reset(weak)).toMatchObject({
      status: 422,
      body: { code: 'request.invalid', errors: { new_password: [expect.stringContaining('新密码不能')] } },
    });
  expect((await reset('a better password')).status).toBe(200);
  expect((await reset('yet another password')).body).toMatchObject({ code: 'code.expired' });
});

test('one code sets one password, also while weak passwords are refused at the same time', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'katherine', phone: '+8613951728460' });
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'reset', '13951728460');
  const reset = async (new_password: string) =>
    await post(browser, resetPath, { phone: '13951728460', code, new_password });

  const replies = await Promise.all(['katherine1', 'a better password', 'katherine2', 'another password'].map(reset));

  expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
  // A call with a weak password may have held the code while the good ones tried it, and then restored it.
  const next = await reset('yet another password');
  const accepted = [...replies, next].filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(1);
  expect((await reset('the last password')).body).toMatchObject({ code: 'code.expired' });
});

test('a reset by phone deletes the account’s API tokens and no others', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  const other = await insertUser(t.db, { username: 'han' });
  for (const userId of [id, other]) {
    const token = { userId, name: 'backup', hint: 'tt', tokenHash: Buffer.alloc(32, userId), scopes: ['devices:read'] };
    await t.db.insertInto('apiToken').values(token).execute();
  }
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'reset', phone);

  await post(browser, resetPath, { phone, code, new_password: 'a better password' });

  expect(await t.db.selectFrom('apiToken').select('userId').execute()).toEqual([{ userId: other }]);
});

test('only a right code reveals that no account has a number', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const code = await app.receiveCode(browser, 'reset', phone);

  const reply = await post(browser, resetPath, { phone, code, new_password: 'a better password' });

  expect(reply).toMatchObject({ status: 409, body: { code: 'phone.unknown' } });
  expect(await t.db.selectFrom('userAccount').select('id').execute()).toEqual([]);
});

test('a code for a login resets no password, and a code for a reset opens no login', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const loginCode = await app.receiveCode(browser, 'login', phone);
  const reset = await post(browser, resetPath, { phone, code: loginCode, new_password: 'a better password' });
  const resetCode = await app.receiveCode(browser, 'reset', phone);
  if (resetCode !== loginCode) {
    expect(await logIn(browser, resetCode)).toMatchObject({ status: 422, body: { code: 'code.wrong' } });
  }
  expect(reset).toMatchObject({ status: 422, body: { code: 'code.expired' } });
});

test.each(['12345', '1234567', 'abcdef', '１２３４５６', '123456; drop table'])(
  '%j is not a valid code',
  async (code) => {
    await using t = await openTestDb();
    await using app = await openPhoneApp(t.db);

    const reply = await logIn(app.browser(), code);

    expect(reply).toMatchObject({ status: 422, body: { errors: { code: ['请输入 6 位数字验证码'] } } });
  },
);

test('one address can try a limited number of codes', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  for (let i = 0; i < 30; i++) expect((await logIn(browser, '000000')).status).toBe(422);

  expect(await logIn(browser, '000000')).toMatchObject({ status: 429, body: { code: 'request.too-many' } });
});
