import { must } from '@tongtu/base';
import type { LoginSession } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp, testPassword } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';

const list = '/api/user/sessions/';
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
const wechat =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50';

async function sessionsOf(browser: TestBrowser): Promise<LoginSession[]> {
  return (await browser.call('GET', list)).body as LoginSession[];
}

async function logIn(browser: TestBrowser, headers: Record<string, string>): Promise<void> {
  await browser.call('GET', '/api/login_status/');
  await browser.call('POST', '/custom/login/', { account: 'li', password: testPassword }, headers);
}

async function isLoggedIn(browser: TestBrowser): Promise<boolean> {
  return ((await browser.call('GET', '/api/login_status/')).body as { logged_in: boolean }).logged_in;
}

test('each browser is listed with its device, its place and whether it is the current one', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db);
  const [home, phone] = [app.browser(), app.browser()];
  await logIn(home, { 'user-agent': chrome, 'x-forwarded-for': '113.92.1.1' });
  await logIn(phone, { 'user-agent': wechat });

  const sessions = await sessionsOf(home);

  expect(sessions).toHaveLength(2);
  expect(sessions.find((session) => session.is_current)).toMatchObject({
    device: 'Chrome · Windows',
    ip: '113.92.1.1',
    place: '广东省深圳市',
  });
  expect(sessions.find((session) => !session.is_current)).toMatchObject({ device: '微信 · iPhone', place: '本机' });
});

test('a session is ended by its id at once, but not by another user', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const [home, lost] = [await app.browserOf(id), await app.browserOf(id)];
  const other = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));
  const { id: lostId } = must(
    (await sessionsOf(lost)).find((session) => session.is_current),
    'its session',
  );
  const unknown = { status: 404, body: { code: 'session.not-found' } };

  expect(await other.call('DELETE', `${list}${lostId}/`)).toMatchObject(unknown);
  expect(await isLoggedIn(lost)).toBe(true);
  expect((await home.call('DELETE', `${list}${lostId}/`)).status).toBe(200);
  expect(await isLoggedIn(lost)).toBe(false);
  expect(await isLoggedIn(home)).toBe(true);
  expect(await home.call('DELETE', `${list}${lostId}/`)).toMatchObject(unknown);
});

test('all other sessions of the user are ended, and no session of another user', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const [home, lost] = [await app.browserOf(id), await app.browserOf(id)];
  const other = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));

  expect((await home.call('DELETE', list)).status).toBe(200);

  expect(await isLoggedIn(lost)).toBe(false);
  expect(await isLoggedIn(home)).toBe(true);
  expect(await isLoggedIn(other)).toBe(true);
});

test('ending the current session clears its cookies', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const [own] = await sessionsOf(browser);

  await browser.call('DELETE', `${list}${own?.id}/`);

  expect([...browser.cookies.keys()]).toEqual([]);
});

test('the hundred-and-first login ends the session that was seen longest ago', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const seen = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000);
  const rows = Array.from({ length: 100 }, (_, hoursAgo) => ({
    idHash: Buffer.alloc(32, hoursAgo),
    userId: id,
    ip: '127.0.0.1',
    userAgent: `${hoursAgo} h`,
    lastSeenAt: seen(hoursAgo),
    expiresAt: seen(-1),
  }));
  await t.db.insertInto('session').values(rows).execute();

  await app.browserOf(id);

  const agents = (await t.db.selectFrom('session').select('userAgent').execute()).map((row) => row.userAgent);
  expect(agents).toHaveLength(100);
  expect(agents).not.toContain('99 h');
  expect(agents).toContain('98 h');
});
