import { expect, test } from 'vitest';
import { pino } from 'pino';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertAccount, openAccountApp } from '../../testing/apps/open-account-app.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import { openTestApp, testCsrfKey } from '../../testing/apps/open-test-app.ts';
import { makeSuperuser } from './make-superuser.ts';
import { registerRoleRoutes } from './role-routes.ts';

const path = '/api/manage/users/';
const log = pino({ level: 'silent' });

async function flagged(db: Db, username: string, flags: { isStaff?: boolean; isPromoter?: boolean }): Promise<number> {
  const id = await insertAccount(db, { username });
  if (Object.keys(flags).length > 0) await db.updateTable('userAccount').set(flags).where('id', '=', id).execute();
  return id;
}

async function superusers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('userAccount')
    .select('username')
    .where('isSuperuser', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ username }) => username);
}

async function sessionIdHash(db: Db): Promise<Buffer> {
  return (await db.selectFrom('session').select('idHash').executeTakeFirstOrThrow()).idHash;
}

test.each([
  ['nobody who is logged in', undefined, 401, 'session.required'],
  ['a user without a flag', {}, 403, 'session.forbidden'],
  ['a promoter', { isPromoter: true }, 403, 'session.forbidden'],
])('%s may neither list users nor set flags', async (_who, flags, status, code) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const caller = flags ? await app.browserOf(await flagged(t.db, 'li', flags)) : app.browser();
  await caller.call('GET', '/api/login_status/');

  expect(await caller.call('GET', path)).toMatchObject({ status, body: { code } });
  const change = await caller.call('PATCH', `${path}${admin}/`, { is_superuser: false });
  expect(change).toMatchObject({ status, body: { code } });
  expect(await superusers(t.db)).toEqual(['admin']);
});

test('staff may list users, but set no flags', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const staff = await app.browserOf(await flagged(t.db, 'li', { isStaff: true }));

  expect(await staff.call('GET', path)).toMatchObject({ status: 200, body: { count: 2 } });
  const change = await staff.call('PATCH', `${path}${admin}/`, { is_superuser: false });
  expect(change).toMatchObject({ status: 403, body: { code: 'session.forbidden' } });
  expect(await superusers(t.db)).toEqual(['admin']);
});

test('an API token of a superuser may do neither, whatever its scopes are', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const li = await insertAccount(t.db);
  const program = await openProgram({ db: t.db, app }, admin, ['devices:read', 'devices:write', 'access:write']);
  const refused = { status: 403, body: { code: 'session.scope' } };

  expect(await program.call('GET', path)).toMatchObject(refused);
  expect(await program.call('PATCH', `${path}${li}/`, { is_superuser: true })).toMatchObject(refused);
  expect(await superusers(t.db)).toEqual(['admin']);
});

test('a superuser finds a user and sets the flags, which apply at once', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await app.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));
  const li = await insertAccount(t.db, { username: 'Li_Lei', email: 'lei@example.com', phoneNumber: '+8613800138000' });
  await insertAccount(t.db, { username: 'wang' });

  for (const search of ['li_', 'LEI@', '8001380', '']) {
    const found = await admin.call('GET', `${path}?search=${encodeURIComponent(search)}`);
    expect(found.body).toMatchObject({ count: search === '' ? 3 : 1 });
    expect(found.text).toContain('Li_Lei');
  }
  const changed = await admin.call('PATCH', `${path}${li}/`, { is_staff: true, is_promoter: true });

  expect(changed).toMatchObject({
    status: 200,
    body: { id: li, username: 'Li_Lei', is_staff: true, is_promoter: true, is_superuser: false },
  });
  const profile = await (await app.browserOf(li)).call('GET', '/api/profile/');
  expect(profile.body).toMatchObject([{ is_staff: true, is_promoter: true, is_superuser: false }]);
});

test('SQL wildcards are literal characters in a search', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await app.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));

  for (const search of ['%', '_', '\\'])
    expect((await admin.call('GET', `${path}?search=${encodeURIComponent(search)}`)).body).toMatchObject({ count: 0 });
});

test('flags are set in a confirmed session only, and for accounts that exist', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await app.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));
  const li = await insertAccount(t.db);

  expect(await admin.call('PATCH', `${path}999999/`, { is_staff: true })).toMatchObject({
    status: 404,
    body: { code: 'user.not-found' },
  });
  expect(await admin.call('PATCH', `${path}${li}/`, { is_payed: true })).toMatchObject({ status: 422 });
  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();
  expect(await admin.call('PATCH', `${path}${li}/`, { is_staff: true })).toMatchObject({
    status: 403,
    body: { code: 'session.confirm-required' },
  });
});

test('a superuser who is disabled while the call waits sets no flags', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const [adminId, rootId] = [
    await insertAccount(t.db, { username: 'admin', isSuperuser: true }),
    await insertAccount(t.db, { username: 'root', isSuperuser: true }),
  ];
  const li = await insertAccount(t.db);
  const [admin, root] = [await app.browserOf(adminId), await app.browserOf(rootId)];

  const replies = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('userAccount').select('id').forUpdate().execute(),
    async () => await admin.call('POST', `${path}${rootId}/disabled/`),
    async () => await root.call('PATCH', `${path}${li}/`, { is_superuser: true }),
  );

  expect(replies).toMatchObject([
    { value: { status: 200 } },
    { value: { status: 403, body: { code: 'session.forbidden' } } },
  ]);
  expect(await superusers(t.db)).toEqual(['admin', 'root']);
});

test('a user who gains a right has to log in again; one who loses a right stays logged in without it', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const admin = await app.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));
  const li = await insertAccount(t.db);
  const before = await app.browserOf(li);
  const loggedIn = async (browser: typeof before) => (await browser.call('GET', '/api/login_status/')).body;

  await admin.call('PATCH', `${path}${li}/`, { is_promoter: false });
  expect(await loggedIn(before)).toMatchObject({ logged_in: true });
  await admin.call('PATCH', `${path}${li}/`, { is_superuser: true });
  expect(await loggedIn(before)).toMatchObject({ logged_in: false });

  const after = await app.browserOf(li);
  expect(await after.call('GET', path)).toMatchObject({ status: 200 });
  await admin.call('PATCH', `${path}${li}/`, { is_superuser: false });
  expect(await loggedIn(after)).toMatchObject({ logged_in: true });
  expect(await after.call('GET', path)).toMatchObject({ status: 403 });
});

test('a superuser may give up the role when there is another, and gets a new session id', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const admin = await app.browserOf(id);
  const stepDown = async () => await admin.call('PATCH', `${path}${id}/`, { is_superuser: false });

  expect(await stepDown()).toMatchObject({ status: 409, body: { code: 'user.last-superuser' } });
  await insertAccount(t.db, { username: 'root', isSuperuser: true });
  const before = await sessionIdHash(t.db);
  expect(await stepDown()).toMatchObject({ status: 200, body: { is_superuser: false } });

  expect(await sessionIdHash(t.db)).not.toEqual(before);
  expect((await admin.call('GET', '/api/profile/')).body).toMatchObject([{ is_superuser: false }]);
  expect(await superusers(t.db)).toEqual(['root']);
});

test('a superuser whose account will be deleted does not count as another superuser', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const leaving = await insertAccount(t.db, { username: 'leaving', isSuperuser: true });
  await t.db.updateTable('userAccount').set({ deletionAt: new Date() }).where('id', '=', leaving).execute();
  const admin = await app.browserOf(id);

  expect(await admin.call('PATCH', `${path}${id}/`, { is_superuser: false })).toMatchObject({ status: 409 });
  expect(await admin.call('PATCH', `${path}${leaving}/`, { is_superuser: false })).toMatchObject({ status: 200 });
});

test('of two superusers who remove each other at once, one stays', async () => {
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
    async () => await one.call('PATCH', `${path}${ids[1]}/`, { is_superuser: false }),
    async () => await other.call('PATCH', `${path}${ids[0]}/`, { is_superuser: false }),
  );

  expect(replies).toMatchObject([{ value: { status: 200 } }, { value: { status: 403 } }]);
  expect(await superusers(t.db)).toEqual(['admin']);
});

test('of two superusers who give up the role at once, one stays', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const ids = [
    await insertAccount(t.db, { username: 'admin', isSuperuser: true }),
    await insertAccount(t.db, { username: 'root', isSuperuser: true }),
  ];
  const browsers = await Promise.all(ids.map(async (id) => ({ id, browser: await app.browserOf(id) })));

  const replies = await Promise.all(
    browsers.map(async ({ id, browser }) => await browser.call('PATCH', `${path}${id}/`, { is_superuser: false })),
  );

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await superusers(t.db)).toHaveLength(1);
});

test('the log records who changed whose flags to what, and no refused or empty change', async () => {
  await using t = await openTestDb();
  const lines: string[] = [];
  const recording = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using app = await openTestApp(t.db, (fastify) =>
    registerRoleRoutes(fastify, { db: t.db, csrfKey: testCsrfKey, log: recording }),
  );
  const id = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const li = await insertAccount(t.db);
  const admin = await app.browserOf(id);

  await admin.call('PATCH', `${path}${id}/`, { is_superuser: false });
  await admin.call('PATCH', `${path}${li}/`, { is_staff: false });
  await admin.call('PATCH', `${path}${li}/`, { is_staff: true });

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { byUserId: id, userId: li, is_staff: true, is_promoter: false, is_superuser: false },
  ]);
});

test('the operator makes a superuser by name, who has to log in again', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const li = await insertAccount(t.db, { username: 'Li' });
  const before = await app.browserOf(li);

  expect(await makeSuperuser(t.db, log, 'nobody')).toBeUndefined();
  expect(await makeSuperuser(t.db, log, 'lI')).toBe('Li');

  expect(await superusers(t.db)).toEqual(['Li']);
  expect((await before.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: false });
  expect(await makeSuperuser(t.db, log, 'Li')).toBe('Li');
});

test('the operator lets in a superuser whom another one has disabled', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const li = await insertAccount(t.db, { username: 'li', isSuperuser: true });
  await t.db.updateTable('userAccount').set({ disabledAt: new Date() }).execute();

  expect(await makeSuperuser(t.db, log, 'li')).toBe('li');
  const browser = await app.browserOf(li);
  expect((await browser.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: true });
});
