import { SSO_STATE_COOKIE } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import type { CallRequest } from '../../http/session.ts';
import { testCsrfKey, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerLoginRoutes } from '../login/index.ts';
import { createSecret } from './sso-secret.ts';
import { useSsoCode } from './use-sso-code.ts';
import { confirmByPhone, openDesktop, openTestSso, fetchCode, type TestSso } from './testing/open-test-sso.ts';
import { createUser } from '../users/index.ts';
import { bindWechat, findUserByWechat, logInByWechat, unbindWechat } from '../wechat/index.ts';

const sealingKey = Buffer.alloc(32, 3);
const someone = { appId: 'wx1', openId: 'o1', unionId: 'u1', nickname: '甲' };

async function openSso(t: TestDb): Promise<TestSso> {
  const { db } = t;
  const create = async (tx: Db, aff: string | undefined) => await createUser(tx, { sealingKey, aff });
  return await openTestSso(t, {
    register: (app) =>
      registerLoginRoutes(app, {
        db,
        csrfKey: testCsrfKey,
        publicUrl: 'http://localhost',
        phoneRegions: ['86'],
        logInByWechat: async (input) => await logInByWechat({ db, createUser: create }, input),
      }),
  });
}

async function logIn(browser: TestBrowser, body: { code: string; state: string; aff?: string }) {
  await browser.call('GET', '/api/login_status/');
  return await browser.call('POST', '/custom/login/', {
    method: 'wechat',
    accepted_terms: true,
    ...body,
  });
}

async function confirmedDesktop(sso: TestSso, person = 0) {
  const desktop = await openDesktop(sso);
  await confirmByPhone(sso, desktop.image, person);
  return { ...desktop, code: await fetchCode(desktop) };
}

const listUsers = async (t: TestDb) => await t.db.selectFrom('userAccount').selectAll().execute();

test('an unknown WeChat user gets an account, and the same one the next time', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);

  const first = await confirmedDesktop(sso);
  const joined = await logIn(first.browser, { code: first.code, state: first.state, aff: 'friend' });
  const again = await confirmedDesktop(sso);
  const back = await logIn(again.browser, { code: again.code, state: again.state });

  expect(joined).toMatchObject({ status: 200, body: { id: expect.any(Number), second_factor: null } });
  expect(back.body).toEqual(joined.body);
  expect(await listUsers(t)).toMatchObject([{ invitedBy: 'friend', acceptedTermsOfService: true, passwordHash: null }]);
  expect((await first.browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: true });
});

test('where registration is closed an unknown WeChat gets no account, and a known one logs in', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);
  const first = await confirmedDesktop(sso);
  await logIn(first.browser, { code: first.code, state: first.state });
  await t.db.insertInto('setting').values({ name: 'registration', value: '"closed"' }).execute();

  const known = await confirmedDesktop(sso);
  expect((await logIn(known.browser, { code: known.code, state: known.state })).status).toBe(200);
  const unknown = await confirmedDesktop(sso, 1);
  const refused = await logIn(unknown.browser, { code: unknown.code, state: unknown.state });
  expect(refused).toMatchObject({ status: 403, body: { code: 'registration.closed' } });
  expect(await listUsers(t)).toHaveLength(1);
});

test('a code used concurrently logs in once', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);
  const { browser, code, state } = await confirmedDesktop(sso);
  await browser.call('GET', '/api/login_status/');

  const body = { method: 'wechat', accepted_terms: true, code, state };
  const replies = await Promise.all([1, 2, 3].map(async () => await browser.call('POST', '/custom/login/', body)));

  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422, 422]);
  expect(await listUsers(t)).toHaveLength(1);
});

test('a new WeChat user who confirms in two browsers at once gets one account', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);
  const desktops = [await confirmedDesktop(sso), await confirmedDesktop(sso)];

  const replies = await Promise.all(
    desktops.map(async ({ browser, code, state }) => await logIn(browser, { code, state })),
  );

  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies[0]?.body).toEqual(replies[1]?.body);
  expect(await listUsers(t)).toHaveLength(1);
});

test('a code is invalid in another browser, with another state, or a minute later', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);
  const { browser, code, state } = await confirmedDesktop(sso);
  const refused = { status: 422, body: { code: 'wechat.code-invalid' } };

  expect(await logIn(sso.browser(), { code, state })).toMatchObject(refused);
  const other = sso.browser();
  const otherState = createSecret();
  other.cookies.set(SSO_STATE_COOKIE, otherState);
  expect(await logIn(other, { code, state: otherState })).toMatchObject(refused);
  expect(await logIn(browser, { code: createSecret(), state })).toMatchObject(refused);
  await sql`update sso_login set code_expires_at = now()`.execute(t.db);
  expect(await logIn(browser, { code, state })).toMatchObject(refused);
  expect(await listUsers(t)).toEqual([]);
});

test('a code can be used again after its transaction was rolled back', async () => {
  await using t = await openTestDb();
  await using sso = await openSso(t);
  const { code, state } = await confirmedDesktop(sso);
  const headers = { cookie: `${SSO_STATE_COOKIE}=${state}` };
  const req = { protocol: 'http', headers } as unknown as CallRequest; // the code reads nothing else

  const use = async (fails: boolean) =>
    await t.db.transaction().execute(async (tx) => {
      const identity = await useSsoCode(tx, { code, state, req });
      if (fails) throw new Error('later');
      return identity;
    });

  await expect(use(true)).rejects.toThrow('later');
  expect(await use(false)).toMatchObject({ nickname: '测试用户甲' });
  await expect(use(false)).rejects.toMatchObject({ code: 'wechat.code-invalid' });
});

test('without WeChat configured the login is refused', async () => {
  await using t = await openTestDb();
  const deps = { db: t.db, csrfKey: testCsrfKey, publicUrl: 'http://localhost', phoneRegions: ['86'] };
  await using sso = await openTestSso(t, { register: (app) => registerLoginRoutes(app, deps) });

  const reply = await logIn(sso.browser(), { code: 'x', state: createSecret() });

  expect(reply).toMatchObject({ status: 422, body: { code: 'login.method-unavailable' } });
});

test('a WeChat user belongs to one account, which can change its WeChat user', async () => {
  await using t = await openTestDb();
  const [li, han] = [await createUser(t.db, { sealingKey }), await createUser(t.db, { sealingKey })];
  await bindWechat(t.db, li, someone);

  await expect(bindWechat(t.db, han, someone)).rejects.toMatchObject({ code: 'wechat.taken' });
  await bindWechat(t.db, li, { ...someone, openId: 'o2', unionId: 'u2' });
  await bindWechat(t.db, han, someone);

  expect(await findUserByWechat(t.db, someone)).toBe(han);
});

test('of two accounts that bind the same WeChat user at once, one gets it', async () => {
  await using t = await openTestDb();
  const users = [await createUser(t.db, { sealingKey }), await createUser(t.db, { sealingKey })];

  const outcomes = await Promise.allSettled(
    users.map(async (id) => await t.db.transaction().execute(async (tx) => await bindWechat(tx, id, someone))),
  );

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: 'wechat.taken' }) }),
  );
});

test('a WeChat user without a union id is recognised with it, in this app and in others', async () => {
  await using t = await openTestDb();
  const id = await createUser(t.db, { sealingKey });
  await bindWechat(t.db, id, { ...someone, unionId: null });

  expect(await findUserByWechat(t.db, someone)).toBe(id);
  expect(await findUserByWechat(t.db, { ...someone, appId: 'wx2', openId: 'other' })).toBe(id);
  expect(await findUserByWechat(t.db, { ...someone, appId: 'wx2', unionId: null })).toBeUndefined();
});

test('the last sign-in method cannot be removed', async () => {
  await using t = await openTestDb();
  const id = await createUser(t.db, { sealingKey });
  await bindWechat(t.db, id, someone);

  await expect(unbindWechat(t.db, id)).rejects.toMatchObject({ code: 'user.last-way-in' });
  await t.db.updateTable('userAccount').set({ passwordHash: 'x' }).where('id', '=', id).execute();
  await unbindWechat(t.db, id);

  expect(await findUserByWechat(t.db, someone)).toBeUndefined();
});
