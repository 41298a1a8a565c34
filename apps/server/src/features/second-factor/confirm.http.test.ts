import { must } from '@tongtu/base';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { browserHashOf } from '../../testing/browser-hash.ts';
import {
  insertAccount,
  openAccountApp,
  testKeys,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { sendSmsCode } from '../codes/index.ts';

const confirm = '/custom/confirm/';
const dangerous = '/api/user/recovery_codes/';
const required = { status: 403, body: { code: 'session.confirm-required' } };

/** Sets the state of ten minutes later. */
async function expireConfirmation(db: Db): Promise<void> {
  await db
    .updateTable('session')
    .set({ confirmedUntil: new Date(0) })
    .execute();
}

async function methodsOf(browser: TestBrowser): Promise<unknown> {
  return ((await browser.call('GET', confirm)).body as { methods: unknown }).methods;
}

test('a login counts as confirmed for ten minutes, and the password confirms it again', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const off = { status: 409, body: { code: 'second-factor.off' } }; // the check after the confirmation

  expect(await browser.call('POST', dangerous)).toMatchObject(off);
  const { confirmedUntil } = await t.db.selectFrom('session').select('confirmedUntil').executeTakeFirstOrThrow();
  expect(must(confirmedUntil, 'a time').getTime() - Date.now()).toBeLessThanOrEqual(600_000);
  await expireConfirmation(t.db);
  expect(await browser.call('POST', dangerous)).toMatchObject(required);
  expect((await browser.call('GET', confirm)).body).toEqual({ methods: ['password'], confirmed_until: null });
  expect(await browser.call('POST', confirm, { password: 'wrong' })).toMatchObject({
    status: 403,
    body: { code: 'password.wrong' },
  });
  expect(await browser.call('POST', confirm, { password: testPassword })).toMatchObject({
    status: 200,
    body: { methods: ['password'], confirmed_until: expect.any(String) },
  });
  expect(await browser.call('POST', dangerous)).toMatchObject(off);
});

test('one browser confirms for itself only', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const [browser, other] = [await app.browserOf(id), await app.browserOf(id)];
  await expireConfirmation(t.db);

  await browser.call('POST', confirm, { password: testPassword });

  expect(await other.call('POST', dangerous)).toMatchObject(required);
});

test('with a second factor the password cannot confirm', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db, { phoneNumber: '+8613800138000' }));
  const { secret } = await turnOnTotp(browser);
  await expireConfirmation(t.db);

  expect(await methodsOf(browser)).toEqual(['totp', 'recovery_code']);
  expect(await browser.call('POST', confirm, { password: testPassword })).toMatchObject({
    status: 422,
    body: { code: 'second-factor.wrong' },
  });
  expect(await browser.call('POST', dangerous)).toMatchObject(required);
  const code = totpCode(secret, { stepsLater: 1 });
  expect((await browser.call('POST', confirm, { code })).status).toBe(200);
  expect((await browser.call('POST', dangerous)).status).toBe(200);
  expect(await browser.call('POST', confirm, { code })).toMatchObject({
    status: 422,
    body: { code: 'second-factor.wrong' },
  });
});

test('with a second factor, changing the password needs a confirmation besides the old password', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const change = () =>
    browser.call('POST', '/custom/password/', { old_password: testPassword, new_password: 'a better password' });
  const { secret } = await turnOnTotp(browser);
  await expireConfirmation(t.db);

  expect(await change()).toMatchObject(required);
  await browser.call('POST', confirm, { code: totpCode(secret, { stepsLater: 1 }) });
  expect((await change()).status).toBe(200);
});

test('passwords are tried ten times a minute', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const body = { old_password: 'wrong', new_password: 'a better password' };
  const change = async (browser: TestBrowser) => await browser.call('POST', '/custom/password/', body);
  const id = await insertAccount(t.db);
  const [browser, elsewhere] = [await app.browserOf(id), await app.browserOf(id)];
  for (let i = 0; i < 10; i++) expect(await change(browser)).toMatchObject({ body: { code: 'password.wrong' } });

  expect(await change(elsewhere)).toMatchObject({ status: 429, body: { code: 'request.too-many' } });
  const another = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));
  expect(await change(another)).toMatchObject({ body: { code: 'password.wrong' } });
});

test('a passkey’s late answer is refused as expired, and not counted as a wrong try', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const { secret } = await turnOnTotp(browser);
  const { userId } = await t.db.selectFrom('totp').select('userId').executeTakeFirstOrThrow();
  const passkey = {
    userId,
    rpId: 'localhost',
    name: 'key',
    credentialId: 'AAAA',
    publicKey: Buffer.alloc(1),
    counter: 0,
  };
  await t.db
    .insertInto('passkey')
    .values({ ...passkey, transports: [] })
    .execute();

  for (let i = 0; i < 11; i++) {
    expect(await browser.call('POST', confirm, { passkey: { id: 'AAAA' } })).toMatchObject({
      status: 422,
      body: { code: 'second-factor.expired' },
    });
  }

  const code = totpCode(secret, { stepsLater: 1 });
  expect((await browser.call('POST', confirm, { code })).status).toBe(200);
});

test('wrong codes are counted like wrong passwords', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const { recoveryCodes } = await turnOnTotp(browser);
  for (let i = 0; i < 10; i++) await browser.call('POST', confirm, { recovery_code: `wrong ${i}` });

  const reply = await browser.call('POST', confirm, { recovery_code: recoveryCodes[0] });

  expect(reply).toMatchObject({ status: 429, body: { code: 'login.locked' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});

test('an account without a password confirms by a code to its phone; an account with neither cannot confirm', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const phone = '+8613800138000';
  const byPhone = await app.browserOf(await insertAccount(t.db, { hasPassword: false, phoneNumber: phone }));
  const byWechat = await app.browserOf(await insertAccount(t.db, { username: 'wang', hasPassword: false }));
  await expireConfirmation(t.db);
  const sent: string[] = [];
  const sms = { send: async (message: { code: string }) => void sent.push(message.code) };
  const log = pino({ level: 'silent' });
  const sending = { ...testKeys, db: t.db, sms, smsPerDay: 2000, mailer: undefined, log };
  await sendSmsCode(sending, {
    phone,
    purpose: 'confirm',
    caller: { ip: '127.0.0.1', browserHash: browserHashOf(byPhone) },
  });
  const [code = ''] = sent;
  const wrongCode = code === '000000' ? '000001' : '000000';

  expect(await methodsOf(byPhone)).toEqual(['sms']);
  expect(await methodsOf(byWechat)).toEqual([]);
  expect(await byWechat.call('POST', confirm, { sms_code: code })).toMatchObject({ status: 422 });
  expect(await byPhone.call('POST', confirm, { password: testPassword })).toMatchObject({ status: 422 });
  expect(await byPhone.call('POST', confirm, { sms_code: wrongCode })).toMatchObject({
    status: 422,
    body: { code: 'code.wrong' },
  });
  expect((await byPhone.call('POST', confirm, { sms_code: code })).status).toBe(200);
  expect(await byPhone.call('POST', dangerous)).toMatchObject({ body: { code: 'second-factor.off' } });
});

test('turning the app on replaces the session id and keeps the session', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const before = must(browser.cookies.get('sessionid'), 'a session');

  await turnOnTotp(browser);

  expect(browser.cookies.get('sessionid')).not.toBe(before);
  const old = app.browser();
  old.cookies.set('sessionid', before);
  expect((await old.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
  expect(await t.db.selectFrom('session').select('userId').execute()).toHaveLength(1);
});

test('the set-up of an app expires after half an hour, can be restarted, and ends when the app is on', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const begin = async () => (await browser.call('POST', '/api/user/totp/')).body as { secret: string; uri: string };
  const turnOn = (secret: string) => browser.call('POST', '/api/user/totp/confirm/', { code: totpCode(secret) });

  expect(await turnOn('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toMatchObject({ body: { code: 'second-factor.expired' } });
  const first = await begin();
  const another = await begin();
  expect(another.uri).toMatch(/^otpauth:\/\/totp\/%E9%80%9A%E9%80%94:li%40localhost\?secret=\w{32}&issuer=%E9%80%9A/);
  expect(await turnOn(first.secret)).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
  await t.db
    .updateTable('totp')
    .set({ createdAt: new Date(Date.now() - 31 * 60_000) })
    .execute();
  expect(await turnOn(another.secret)).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
  const late = await begin();
  expect((await turnOn(late.secret)).status).toBe(200);
  expect(await browser.call('POST', '/api/user/totp/')).toMatchObject({
    status: 409,
    body: { code: 'second-factor.already-on' },
  });
});

test('new recovery codes replace the former ones', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const { recoveryCodes: former } = await turnOnTotp(browser);

  const { recovery_codes: codes } = (await browser.call('POST', dangerous)).body as { recovery_codes: string[] };

  expect(new Set([...former, ...codes]).size).toBe(20);
  expect(await browser.call('POST', confirm, { recovery_code: former[0] })).toMatchObject({ status: 422 });
  expect((await browser.call('POST', confirm, { recovery_code: codes[0] })).status).toBe(200);
  expect((await browser.call('GET', '/api/user/security/')).body).toMatchObject({ recovery_codes_left: 9 });
});
