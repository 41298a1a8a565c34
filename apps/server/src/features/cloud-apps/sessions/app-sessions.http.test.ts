import type { CloudAppSession } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import { insertUser } from '../../../testing/device-fixtures.ts';
import type { TestBrowser } from '../../../testing/apps/open-test-app.ts';
import {
  appsPath,
  bodyOf,
  type CloudApps,
  openCloudApps,
  openGateway,
  openSession,
  sessionsPath,
} from '../testing/open-cloud-apps.ts';
import { deleteOldAppSessions, endAbandonedSessions } from '../index.ts';

type Page = { count: number; next: string | null; results: CloudAppSession[] };

async function list(browser: TestBrowser, query = ''): Promise<CloudAppSession[]> {
  return bodyOf<Page>(await browser.call('GET', `${sessionsPath}${query}`)).results;
}

/** Turns two-step login on. The login of the browser is not confirmed any more. */
async function turnOnSecondFactor({ db }: CloudApps, userId: number): Promise<void> {
  await db
    .insertInto('totp')
    .values({ userId, secretSealed: Buffer.alloc(8), confirmedAt: new Date() })
    .execute();
  await setConfirmed({ db }, userId, false);
}

async function setConfirmed({ db }: Pick<CloudApps, 'db'>, userId: number, isConfirmed: boolean): Promise<void> {
  const confirmedUntil = isConfirmed ? new Date(Date.now() + 60_000) : null;
  await db.updateTable('session').set({ confirmedUntil }).where('userId', '=', userId).execute();
}

test('an opened session has a cookie for its own path, and is listed for the account that opened it and for the owner', async () => {
  await using home = await openCloudApps();
  const app = await home.create();
  await home.addMember(app.id);

  const reply = await home.friend.call('POST', `${appsPath}${app.id}/sessions/`, undefined, { 'user-agent': 'UA' });

  const { id, path } = bodyOf<{ id: number; path: string }>(reply, 201);
  expect(reply.body).toMatchObject({ id, path, app: { id: app.id, is_own: false } });
  const handle = /^\/apps\/([\w-]{22})\/$/.exec(path)?.[1] ?? '';
  expect(handle).not.toBe('');
  expect(String(reply.headers['set-cookie'])).toMatch(
    new RegExp(`^app_session=${handle}\\.${id}\\.[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Strict$`),
  );
  const session = {
    ...{ id, app: app.id, app_name: '路由器', kind: 'ssh', router_name: 'NAS', account: 'wang' },
    ...{ ip: '127.0.0.1', user_agent: 'UA', started_at: expect.any(String), ended_at: null, end_reason: null },
    ...{ kept_until: null, can_be_resumed: false },
    ...{ bytes_in: 0, bytes_out: 0 },
  };
  expect(await list(home.friend)).toEqual([{ ...session, is_own: true }]);
  expect(await list(home.owner)).toEqual([{ ...session, is_own: false }]);
  const other = await home.app.browserOf(await insertUser(home.db, 'zhao'));
  expect(await list(other)).toEqual([]);
});

test('over https the cookie is Secure, and has the prefix that browsers accept from secure pages alone', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  for (const name of ['sessionid', 'csrftoken'])
    home.owner.cookies.set(`__Host-${name}`, home.owner.cookies.get(name) ?? '');
  const https = { 'x-forwarded-proto': 'https', origin: 'https://localhost' };

  const reply = await home.owner.call('POST', `${appsPath}${id}/sessions/`, undefined, https);

  expect(reply.status).toBe(201);
  expect(String(reply.headers['set-cookie'])).toMatch(/^__Secure-app_session=.*; HttpOnly; Secure; SameSite=Strict$/);
});

test('the list has pages, the latest session first, and on request only open ones', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const ids = [];
  for (let i = 0; i < 3; i++) ids.unshift((await openSession(home.owner, appId)).id);
  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${ids[0]}/`));

  const page = bodyOf<Page>(await home.owner.call('GET', `${sessionsPath}?open=true&limit=1`));
  expect(page).toMatchObject({ count: 2, results: [{ id: ids[1] }] });
  expect(page.next).toBe(`${sessionsPath}?limit=1&offset=1&open=true`);
  expect((await list(home.owner)).map(({ id }) => id)).toEqual(ids);
});

test('who opened a session ends it, and so does the owner; nobody else finds it', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  await home.addMember(appId);
  const [own, theirs] = [await openSession(home.owner, appId), await openSession(home.friend, appId)];
  const notFound = { status: 404, body: { code: 'cloud-app.session-not-found' } };

  expect(await home.friend.call('DELETE', `${sessionsPath}${own.id}/`)).toMatchObject(notFound);
  expect(await home.owner.call('DELETE', `${sessionsPath}999999/`)).toMatchObject(notFound);
  expect(await home.owner.call('DELETE', `${sessionsPath}abc/`)).toMatchObject(notFound);
  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${theirs.id}/`));
  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${own.id}/`));
  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${own.id}/`)); // it stays as it is

  expect(await list(home.owner)).toMatchObject([
    { id: theirs.id, ended_at: expect.any(String), end_reason: 'ended-by-user' },
    { id: own.id, ended_at: expect.any(String), end_reason: 'ended-by-user' },
  ]);
});

test('a disabled app, and an app of a disabled device or account, cannot be opened', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  await home.addMember(id);
  const disabled = { status: 409, body: { code: 'cloud-app.disabled' } };
  const open = async () => await home.friend.call('POST', `${appsPath}${id}/sessions/`);

  await home.owner.call('PATCH', `${appsPath}${id}/`, { enabled: false });
  expect(await open()).toMatchObject(disabled);
  await home.owner.call('PATCH', `${appsPath}${id}/`, { enabled: true });
  await home.db.updateTable('device').set({ enabled: false }).execute();
  expect(await open()).toMatchObject(disabled);
  await home.db.updateTable('device').set({ enabled: true }).execute();
  const disabledAt = new Date();
  await home.db.updateTable('userAccount').set({ disabledAt }).where('id', '=', home.userId).execute();
  expect(await open()).toMatchObject(disabled);
});

test('an app that needs the second factor opens after a confirmation by it, and not without', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create({ needs_second_factor: true });
  await home.addMember(id);
  const open = async () => await home.friend.call('POST', `${appsPath}${id}/sessions/`);

  // The login has just been confirmed, but by a password alone.
  expect(await open()).toMatchObject({ status: 403, body: { code: 'cloud-app.second-factor-missing' } });
  await turnOnSecondFactor(home, home.friendId);
  expect(await open()).toMatchObject({ status: 403, body: { code: 'session.confirm-required' } });
  expect(await list(home.friend)).toEqual([]);
  await setConfirmed(home, home.friendId, true);
  expect(await open()).toMatchObject({ status: 201 });
});

test('an app without this wish opens without a confirmation', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  await turnOnSecondFactor(home, home.userId);
  expect(await home.owner.call('POST', `${appsPath}${id}/sessions/`)).toMatchObject({ status: 201 });
});

test('an account has twenty open sessions, also when two are opened at once; ended and abandoned ones do not count', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  for (let i = 0; i < 19; i++) await openSession(home.owner, id);
  const open = async () => await home.owner.call('POST', `${appsPath}${id}/sessions/`);

  const replies = await Promise.all([open(), open()]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429]);
  expect(replies.find(({ status }) => status === 429)?.body).toMatchObject({ code: 'cloud-app.too-many-sessions' });
  const [latest] = await list(home.owner);
  await home.owner.call('DELETE', `${sessionsPath}${latest?.id}/`);
  await openSession(home.owner, id);
  expect(await open()).toMatchObject({ status: 429 });
  await sql`update app_session set seen_at = now() - interval '61 seconds'`.execute(home.db);
  await openSession(home.owner, id);
});

test('a member that is removed while opening an app gets no session', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const memberId = await home.addMember(id);

  const [removed, opened] = await runBothWhileLocked(
    home.t,
    async (tx) => await tx.selectFrom('cloudApp').select('id').forUpdate().execute(),
    async () => await home.owner.call('DELETE', `${appsPath}${id}/members/${memberId}/`),
    async () => await home.friend.call('POST', `${appsPath}${id}/sessions/`),
  );

  expect(removed).toMatchObject({ value: { status: 200 } });
  expect(opened).toMatchObject({ value: { status: 404, body: { code: 'cloud-app.not-found' } } });
});

test('a deletion of the device while an app is opened does not deadlock', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  await home.addMember(id);

  const [opened, removed] = await runBothWhileLocked(
    home.t,
    async (tx) => await tx.selectFrom('cloudApp').select('id').forUpdate().execute(),
    async () => await home.friend.call('POST', `${appsPath}${id}/sessions/`),
    async () => await home.db.deleteFrom('device').where('id', '=', home.deviceId).execute(),
  );

  expect(opened).toMatchObject({ status: 'fulfilled' });
  expect(removed).toMatchObject({ status: 'fulfilled' });
});

test('a session is a record after its app, its device and the account that opened it are deleted', async () => {
  await using home = await openCloudApps();
  const app = await home.create();
  await home.addMember(app.id);
  const { id } = await openSession(home.friend, app.id);

  await home.owner.call('DELETE', `${appsPath}${app.id}/`);
  await home.db.deleteFrom('device').execute();
  await home.db.deleteFrom('userAccount').where('id', '=', home.friendId).execute();

  const record = { id, app: null, app_name: '路由器', router_name: 'NAS', account: 'wang', is_own: false };
  expect(await list(home.owner)).toMatchObject([record]);
});

test('sessions that no gateway has are ended as abandoned after a minute', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const [left, seen] = [await openSession(home.owner, appId), await openSession(home.owner, appId)];
  const leftSince = sql<Date>`now() - interval '61 seconds'`;
  await home.db.updateTable('appSession').set({ seenAt: leftSince }).where('id', '=', left.id).execute();

  await endAbandonedSessions(home.db);

  expect(await list(home.owner)).toMatchObject([
    { id: seen.id, end_reason: null },
    { id: left.id, end_reason: 'abandoned', ended_at: expect.any(String) },
  ]);
});

test('records are deleted after 90 days, open sessions are not', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push((await openSession(home.owner, appId)).id);
  const end = async (id: number | undefined, days: number) =>
    await sql`
      update app_session set ended_at = now() - make_interval(days => ${days}), end_reason = 'closed'
      where id = ${id}`.execute(home.db);
  await end(ids[0], 91);
  await end(ids[1], 89);

  await deleteOldAppSessions(home.db);

  expect((await list(home.owner)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.slice(1));
});

/** As the gateway says when the page of a terminal is closed. */
const leave = async ({ db }: CloudApps, id: number): Promise<void> => {
  const keptUntil = sql<Date>`now() + interval '10 minutes'`;
  await db.updateTable('appSession').set({ keptUntil }).where('id', '=', id).execute();
};
const openAgain = async (browser: TestBrowser, appId: number, query = '') =>
  bodyOf<{ id: number; is_resumed: boolean }>(await browser.call('POST', `${appsPath}${appId}/sessions/${query}`), 201);

test('a terminal whose page was closed is opened again by the same login, once', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const { id } = await openSession(home.owner, appId);
  expect((await openAgain(home.owner, appId)).id).not.toBe(id); // it has a page

  await leave(home, id);
  const [listed] = (await list(home.owner)).filter((each) => each.id === id);
  expect(listed).toMatchObject({ kept_until: expect.any(String), can_be_resumed: true });
  expect(await openAgain(home.owner, appId)).toMatchObject({ id, is_resumed: true });
  expect((await openAgain(home.owner, appId)).is_resumed).toBe(false);

  // A page that is loaded again knows its session, also before the gateway has seen it leave.
  expect(await openAgain(home.owner, appId, `?resume=${id}`)).toMatchObject({ id, is_resumed: true });
  await leave(home, id);
  expect((await openAgain(home.owner, appId, '?fresh=true')).is_resumed).toBe(false);
});

test('its former token no longer opens a session that was opened again', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const before = await openSession(home.owner, appId);
  await leave(home, before.id);
  await using gateway = openGateway(home);
  const after = await openSession(home.owner, appId);
  expect(after.id).toBe(before.id);
  expect(await gateway.open(before)).toEqual({ ok: false, reason: null });
  expect(await gateway.open(after)).toMatchObject({ ok: true });
});

test('another login, another account, another app and another kind get no terminal that was left', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const { id: otherApp } = await home.create({ name: '另一个' });
  const { id: desktop } = await home.create({ kind: 'vnc' });
  await home.addMember(appId);
  const { id } = await openSession(home.owner, appId);
  await leave(home, id);
  const otherLogin = await home.app.browserOf(home.userId);

  expect((await list(otherLogin)).find((each) => each.id === id)).toMatchObject({ can_be_resumed: false });
  for (const browser of [otherLogin, home.friend])
    for (const query of ['', `?resume=${id}`]) expect((await openAgain(browser, appId, query)).is_resumed).toBe(false);
  expect((await openAgain(home.owner, otherApp, `?resume=${id}`)).is_resumed).toBe(false);
  const screen = await openSession(home.owner, desktop);
  await leave(home, screen.id);
  expect((await openAgain(home.owner, desktop, `?resume=${screen.id}`)).is_resumed).toBe(false);

  bodyOf(await home.owner.call('DELETE', `${sessionsPath}${id}/`));
  expect((await openAgain(home.owner, appId, `?resume=${id}`)).is_resumed).toBe(false);
});

test('two pages that open the app at once do not get the same terminal', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const { id } = await openSession(home.owner, appId);
  await leave(home, id);
  const both = await Promise.all([openAgain(home.owner, appId), openAgain(home.owner, appId)]);
  expect(both.filter((each) => each.id === id)).toHaveLength(1);
});

test('the gateway says until when a terminal runs on, and that it has a page again', async () => {
  await using home = await openCloudApps();
  const { id: appId } = await home.create();
  const session = await openSession(home.owner, appId);
  await using gateway = openGateway(home);
  await gateway.open(session);
  gateway.report({ type: 'kept', sessionId: session.id, seconds: 600 });
  await expect.poll(() => list(home.owner)).toMatchObject([{ kept_until: expect.any(String) }]);
  gateway.report({ type: 'kept', sessionId: session.id, seconds: 600 });
  gateway.report({ type: 'kept', sessionId: session.id, seconds: null });
  await expect.poll(() => list(home.owner)).toMatchObject([{ kept_until: null, can_be_resumed: false }]);
});
