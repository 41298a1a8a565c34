import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { resetPassword } from '../users/index.ts';
import { insertUser, openPhoneApp, password, phoneOf, post } from './testing/open-phone-app.ts';

const phone = '13800138000';
const e164 = '+8613800138000';
const former = '+8613900139000';
const bindPath = '/api/verify/phone/bind/';
const rebindPath = '/api/verify/phone/rebind/';
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a number is bound with a code that was sent to it', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'bind', phone);

  const wrong = await post(browser, bindPath, { phone, code: other(code) });
  const elsewhere = await post(browser, bindPath, { phone: '13900139000', code });
  expect(wrong).toMatchObject({ status: 422, body: { code: 'code.wrong' } });
  expect(elsewhere).toMatchObject({ status: 422, body: { code: 'code.expired' } });
  expect(await phoneOf(t.db, id)).toBeNull();

  expect(await post(browser, bindPath, { phone: '138 0013 8000', code })).toMatchObject({ status: 200 });
  expect(await phoneOf(t.db, id)).toBe(e164);
  const again = await post(browser, bindPath, { phone, code });
  expect(again).toMatchObject({ status: 409, body: { code: 'phone.already-bound' } });
});

test('a session that a reset of the password ends binds no number', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'bind', phone);

  const [reset, bound] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('userAccount').where('id', '=', id).select('id').forUpdate().execute(),
    async () => await resetPassword(t.db, id, 'a lion in the garden'),
    async () => await post(browser, bindPath, { phone, code }),
  );

  expect(reset).toMatchObject({ status: 'fulfilled' });
  expect(bound).toMatchObject({ value: { status: 401, body: { code: 'session.required' } } });
  expect(await phoneOf(t.db, id)).toBeNull();
});

test('only a right code reveals that a number belongs to another account', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'han', phone: e164 });
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'bind', phone);

  const wrong = await post(browser, bindPath, { phone, code: other(code) });
  expect(wrong).toMatchObject({ status: 422, body: { code: 'code.wrong' } });
  expect(await post(browser, bindPath, { phone, code })).toMatchObject({ status: 409, body: { code: 'phone.taken' } });
  expect(await phoneOf(t.db, id)).toBeNull();
});

test('of two accounts that bind one number at once with one code, one succeeds', async () => {
  await using t = await openTestDb();
  const ids = [await insertUser(t.db, { username: 'li' }), await insertUser(t.db, { username: 'han' })];
  await using app = await openPhoneApp(t.db);
  const browsers = await Promise.all(ids.map((id) => app.browserOf(id)));
  const code = await app.receiveCode(browsers[0]!, 'bind', phone);
  browsers[1]!.cookies.set('browser', browsers[0]!.cookies.get('browser')!); // both accounts use one browser

  const replies = await Promise.all(browsers.map((browser) => post(browser, bindPath, { phone, code })));

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 422]));
  const bound = await Promise.all(ids.map((id) => phoneOf(t.db, id)));
  expect(bound.filter((number) => number === e164)).toHaveLength(1);
});

test('after a binding and a first login with one number at once, one account has the number', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const newUser = app.browser();
  const bindCode = await app.receiveCode(browser, 'bind', phone);
  const loginCode = await app.receiveCode(newUser, 'login', phone);

  const [bound, joined] = await Promise.all([
    post(browser, bindPath, { phone, code: bindCode }),
    post(newUser, '/api/verify/login/phone/', { phone, code: loginCode, accepted_terms: true }),
  ]);

  expect(joined.status).toBe(200);
  const { id: joinedId } = joined.body as { id: number };
  const owners = await t.db.selectFrom('userAccount').select('id').where('phoneNumber', '=', e164).execute();
  expect(owners).toEqual([{ id: joinedId }]);
  expect(bound.status).toBe(joinedId === id ? 200 : 409);
});

test('a number is changed with codes of the old and the new number', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: former });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const oldCode = await app.receiveCode(browser, 'rebind_old');
  const code = await app.receiveCode(browser, 'rebind', phone);
  expect(app.sent.map(({ to }) => to)).toEqual([former, e164]);

  const wrong = await post(browser, rebindPath, { phone, code: other(code), old_code: oldCode });
  expect(wrong).toMatchObject({ status: 422, body: { code: 'code.wrong' } });
  expect(await post(browser, rebindPath, { phone, code, old_code: oldCode })).toMatchObject({ status: 200 });
  expect(await phoneOf(t.db, id)).toBe(e164);
});

test('a number is changed with the password, whose wrong tries lead to a lock-out', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: former });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'rebind', phone);
  const change = (secret: string) => post(browser, rebindPath, { phone, code, password: secret });

  expect(await change('wrong')).toMatchObject({ status: 403, body: { code: 'password.wrong' } });
  expect(await change(password)).toMatchObject({ status: 200 });
  expect(await phoneOf(t.db, id)).toBe(e164);
  for (let i = 0; i < 10; i++) expect((await change('wrong')).status).toBe(403);
  expect(await change(password)).toMatchObject({ status: 429, body: { code: 'login.locked' } });
});

test('an account with a second factor can change its number only in a confirmed session', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: former });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'rebind', phone);
  const secretSealed = Buffer.alloc(1);
  await t.db.insertInto('totp').values({ userId: id, secretSealed, confirmedAt: new Date() }).execute();
  const confirmUntil = async (confirmedUntil: Date) =>
    await t.db.updateTable('session').set({ confirmedUntil }).execute();
  const change = () => post(browser, rebindPath, { phone, code, password });

  await confirmUntil(new Date(0));
  expect(await change()).toMatchObject({ status: 403, body: { code: 'session.confirm-required' } });
  expect(await phoneOf(t.db, id)).toBe(former);
  await confirmUntil(new Date(Date.now() + 60_000));
  expect((await change()).status).toBe(200);
});

test('a change is refused with no proof, both proofs, no bound number, or a number of another account', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: former });
  const unbound = await insertUser(t.db, { username: 'mei' });
  await insertUser(t.db, { username: 'han', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const code = await app.receiveCode(browser, 'rebind', phone);

  const none = await post(browser, rebindPath, { phone, code });
  const both = await post(browser, rebindPath, { phone, code, password, old_code: code });
  for (const reply of [none, both]) {
    expect(reply).toMatchObject({ status: 422, body: { errors: { old_code: ['请输入原手机号的验证码或登录密码'] } } });
  }
  const nothing = await post(await app.browserOf(unbound), rebindPath, { phone, code, password });
  expect(nothing).toMatchObject({ status: 409, body: { code: 'phone.not-bound' } });
  const taken = await post(browser, rebindPath, { phone, code, password });
  expect(taken).toMatchObject({ status: 409, body: { code: 'phone.taken' } });
  expect(await phoneOf(t.db, id)).toBe(former);
});

test('of two changes of one account at once one succeeds', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: former });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  const numbers = ['+8613800138001', '+8613800138002'];
  const codes: string[] = [];
  for (const number of numbers) codes.push(await app.receiveCode(browser, 'rebind', number));
  const oldCode = await app.receiveCode(browser, 'rebind_old');

  const replies = await Promise.all(
    numbers.map((number, i) => post(browser, rebindPath, { phone: number, code: codes[i], old_code: oldCode })),
  );

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(numbers).toContain(await phoneOf(t.db, id));
});
