import type { LinkMade, ManagedUser } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertDevice, insertMapping, insertServer } from '../../testing/device-fixtures.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { insertAccount, openAccountApp, testPassword } from '../../testing/apps/open-account-app.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import type { TestApp, TestBrowser } from '../../testing/apps/open-test-app.ts';
import { deleteDueAccounts } from '../account-data/index.ts';

const path = '/api/manage/users/';
const day = { valid_hours: 24 };

/** Every call that changes an account. */
const changes = (id: number) =>
  [
    ['POST', path, { username: 'wang', ...day }],
    ['POST', `${path}${id}/password_link/`, day],
    ['POST', `${path}${id}/disabled/`, undefined],
    ['DELETE', `${path}${id}/disabled/`, undefined],
    ['DELETE', `${path}${id}/`, undefined],
  ] as const;

async function staffOf(db: Db, app: TestApp): Promise<TestBrowser> {
  return await app.browserOf(await insertAccount(db, { username: 'staff', isStaff: true }));
}

async function userOf(browser: TestBrowser, username: string): Promise<ManagedUser | undefined> {
  const { body } = await browser.call('GET', `${path}?search=${username}`);
  return (body as { results: ManagedUser[] }).results.find((user) => user.username === username);
}

async function logIn(app: TestApp, account: string, password = testPassword): Promise<unknown> {
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  return (await browser.call('POST', '/custom/login/', { account, password })).body;
}

test('staff see of each account how it is reached, what it has and when it was there', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await staffOf(t.db, app);
  const li = await insertAccount(t.db, { email: 'li@example.com', phoneNumber: '+8613800138000' });
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId: li, serverId });
  await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });

  expect(await userOf(staff, 'li')).toMatchObject({
    ...{ email: 'li@example.com', phone_number: '+8613800138000', has_wechat: false, has_password: true },
    ...{ second_factor: false, device_count: 1, mapping_count: 1, last_seen_at: null, disabled_at: null },
  });
  await logIn(app, 'li');
  expect(await userOf(staff, 'li')).toMatchObject({ last_seen_at: expect.any(String) });
});

test.each([
  ['nobody who is logged in', undefined, 'session.required'],
  ['a user without a flag', { isPromoter: false }, 'session.forbidden'],
  ['a promoter', { isPromoter: true }, 'session.forbidden'],
])('%s may change no account', async (_who, flags, code) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const li = await insertAccount(t.db);
  const id = await insertAccount(t.db, { username: 'caller' });
  if (flags) await t.db.updateTable('userAccount').set(flags).where('id', '=', id).execute();
  const caller = flags ? await app.browserOf(id) : app.browser();
  await caller.call('GET', '/api/login_status/');

  for (const [method, url, body] of changes(li))
    expect(await caller.call(method, url, body)).toMatchObject({ body: { code } });
});

test('staff must have confirmed who they are, and an API token does not do', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const staff = await app.browserOf(id);
  const li = await insertAccount(t.db);
  const program = await openProgram({ db: t.db, app }, id, ['devices:write', 'access:write']);
  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();

  for (const [method, url, body] of changes(li)) {
    expect(await staff.call(method, url, body)).toMatchObject({ body: { code: 'session.confirm-required' } });
    expect(await program.call(method, url, body)).toMatchObject({ body: { code: 'session.scope' } });
  }
});

test('staff change nothing of a superuser, of themselves, and of nobody', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const own = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const staff = await app.browserOf(own);

  const refusals = [
    [admin, 'user.superuser'],
    [own, 'user.self'],
    [999_999, 'user.not-found'],
  ] as const;
  for (const [id, code] of refusals)
    for (const [method, url, body] of changes(id).slice(1))
      expect(await staff.call(method, url, body)).toMatchObject({ body: { code } });
  expect(await userOf(staff, 'admin')).toMatchObject({ disabled_at: null, deletion_at: null });
});

test('an account is created without a password, which its owner chooses by the link', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await staffOf(t.db, app);

  const made = await staff.call('POST', path, { username: '妈妈', ...day });
  expect(made).toMatchObject({ status: 201, body: { user: { username: '妈妈', has_password: false } } });
  const { link } = made.body as { link: LinkMade };
  const again = await staff.call('POST', path, { username: '妈妈', ...day });
  expect(again).toMatchObject({ status: 409, body: { code: 'user.name-taken' } });
  const token = new URL(link.url).hash.split('token=')[1];

  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  const looked = await browser.call('POST', '/api/invitation/look/', { token });
  expect(looked.body).toMatchObject({ purpose: 'password', username: '妈妈', invited_by: 'staff' });
  const chosen = await browser.call('POST', '/api/invitation/password/', { token, new_password: testPassword });
  expect(chosen).toMatchObject({ status: 200, body: { username: '妈妈' } });
  expect(await logIn(app, '妈妈')).toMatchObject({ id: expect.any(Number), second_factor: null });
});

test('a disabled account is logged out, has no programs and cannot log in until it is enabled', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await staffOf(t.db, app);
  const li = await insertAccount(t.db);
  const browser = await app.browserOf(li);
  const program = await openProgram({ db: t.db, app }, li, ['devices:read']);

  expect(await staff.call('POST', `${path}${li}/disabled/`)).toMatchObject({
    status: 200,
    body: { disabled_at: expect.any(String) },
  });

  expect((await browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: false });
  expect(await program.call('GET', '/api/user/sessions/')).toMatchObject({ status: 401 });
  expect(await logIn(app, 'li')).toMatchObject({ code: 'user.disabled' });
  expect(await logIn(app, 'li', 'wrong password')).toMatchObject({ code: 'login.failed' });
  expect(await staff.call('POST', `${path}${li}/password_link/`, day)).toMatchObject({
    body: { code: 'user.disabled' },
  });

  expect(await staff.call('DELETE', `${path}${li}/disabled/`)).toMatchObject({ body: { disabled_at: null } });
  expect(await logIn(app, 'li')).toMatchObject({ id: li });
});

test('a deleted account is cut off at once, and has been deleted after the next run with all that it had', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const staff = await staffOf(t.db, app);
  const li = await insertAccount(t.db);
  const browser = await app.browserOf(li);
  await insertDevice(t.db, { userId: li, serverId: await insertServer(t.db) });

  expect(await staff.call('DELETE', `${path}${li}/`)).toMatchObject({ status: 200 });
  expect((await browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: false });
  await deleteDueAccounts({ db: t.db, log: captureLog().log, handOver: async () => {} });

  expect(await userOf(staff, 'li')).toBeUndefined();
  expect(await t.db.selectFrom('device').select('id').execute()).toEqual([]);
});

test('superusers who disable or delete each other at once leave one', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const ids = [
    await insertAccount(t.db, { username: 'admin', isSuperuser: true }),
    await insertAccount(t.db, { username: 'root', isSuperuser: true }),
  ] as const;
  const [one, other] = [await app.browserOf(ids[0]), await app.browserOf(ids[1])];
  const lockAll = async (tx: Db) => await tx.selectFrom('userAccount').select('id').forUpdate().execute();

  const replies = await runBothWhileLocked(
    t,
    lockAll,
    async () => await one.call('POST', `${path}${ids[1]}/disabled/`),
    async () => await other.call('DELETE', `${path}${ids[0]}/`),
  );

  expect(replies).toMatchObject([{ value: { status: 200 } }, { value: { body: { code: 'session.forbidden' } } }]);
  expect(await userOf(one, 'admin')).toMatchObject({ disabled_at: null, deletion_at: null });
});

test('a disabled superuser does not count as another one', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const root = await insertAccount(t.db, { username: 'root', isSuperuser: true });
  const admin = await app.browserOf(id);
  await admin.call('POST', `${path}${root}/disabled/`);

  const stepDown = await admin.call('PATCH', `${path}${id}/`, { is_superuser: false });
  expect(stepDown).toMatchObject({ status: 409, body: { code: 'user.last-superuser' } });
});

test('the log says who did what to whose account', async () => {
  await using t = await openTestDb();
  const { log, lines } = captureLog();
  await using app = await openAccountApp(t.db, { log });
  const byUserId = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const staff = await app.browserOf(byUserId);
  const userId = await insertAccount(t.db);

  for (const [method, url, body] of changes(userId)) await staff.call(method, url, body);

  expect(lines).toMatchObject([
    { level: 40, byUserId, msg: 'an account was created' },
    { level: 40, byUserId, userId, msg: 'a link for another password was made' },
    { level: 40, byUserId, userId, msg: 'an account was disabled' },
    { level: 40, byUserId, userId, msg: 'an account was enabled' },
    { level: 40, byUserId, userId, msg: 'an account is being deleted' },
  ]);
});

test('an account that staff deletes cannot be kept by a call that came at the same time', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await staffOf(t.db, app);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const li = await insertAccount(t.db);
  const owner = await app.browserOf(li);

  const [deleted] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('userAccount').where('id', '=', li).select('id').forUpdate().execute(),
    async () => await staff.call('DELETE', `${path}${li}/`),
    async () => await owner.call('DELETE', '/api/user/deletion/'),
  );

  expect(deleted).toMatchObject({ value: { status: 200 } });
  expect(await userOf(staff, 'li')).toMatchObject({ deletion_at: expect.any(String) });
});
