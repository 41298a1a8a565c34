import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertRelay, insertServer } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { registerServerRoutes } from './server-routes.ts';

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerServerRoutes(app, { db }));
}

test('a region is up while one of its relays sends heartbeats, with the load of the busiest', async () => {
  await using t = await openTestDb();
  const { userId, serverId } = await insertHome(t.db);
  const downId = await insertServer(t.db, 'example.com');
  await insertRelay(t.db, { id: 'calm', serverId });
  await insertRelay(t.db, { id: 'busy', serverId });
  await insertRelay(t.db, { id: 'dead', serverId, silentSeconds: 20 });
  await insertRelay(t.db, { id: 'far', serverId: downId, silentSeconds: 20 });
  for (const [id, load] of [
    ['calm', 0.25],
    ['busy', 0.5],
    ['dead', 1],
  ] as const) {
    await t.db.updateTable('relay').set({ load }).where('id', '=', id).execute();
  }
  await using app = await openApp(t.db);

  const reply = await (await app.browserOf(userId)).call('GET', '/api/user/servers/');

  expect(reply.body).toEqual([
    { id: serverId, name: '本地服务器', suffix: 'localhost', isp: '', load: 0.5, state: 'up', maintenance: false },
    { id: downId, name: '本地服务器', suffix: 'example.com', isp: '', load: 0, state: 'down', maintenance: false },
  ]);
});

test('the list is for users only', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);

  expect((await app.browser().call('GET', '/api/user/servers/')).status).toBe(401);
});

test('only a superuser can rename a region and announce its maintenance', async () => {
  await using t = await openTestDb();
  const { userId, serverId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const path = `/api/manage/servers/${serverId}/`;
  const change = { name: '上海', isp: '电信', maintenance: true };

  expect(await browser.call('PATCH', path, change)).toMatchObject({ status: 403, body: { code: 'session.forbidden' } });
  await t.db.updateTable('userAccount').set({ isSuperuser: true }).where('id', '=', userId).execute();
  expect(await browser.call('PATCH', path, change)).toMatchObject({ status: 200, body: { id: serverId, ...change } });
  expect((await browser.call('GET', '/api/user/servers/')).body).toMatchObject([change]);
  expect((await browser.call('PATCH', path, {})).body).toMatchObject(change);
  expect(await browser.call('PATCH', '/api/manage/servers/999999/', { isp: '' })).toMatchObject({
    status: 404,
    body: { code: 'server.not-found' },
  });
});
