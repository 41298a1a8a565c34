import type { Device, ManyDevicesReply } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../../testing/apps/open-test-app.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { registerDeviceRoutes } from '../device-routes.ts';
import { noChecks } from '../../../testing/no-checks.ts';

const routers = '/api/user/routers/';

async function openApp(db: Db): Promise<TestApp> {
  const deps = { db, version: '1', publicUrl: 'http://localhost:8080', tlsPort: 8443, monotonicMs: () => 0 };
  return await openTestApp(db, (app) => registerDeviceRoutes(app, { ...deps, defaultBandwidthBps: null, ...noChecks }));
}

/** A user with three devices, and a device of somebody else. */
async function insertSome(db: Db) {
  const { userId, serverId, deviceId } = await insertHome(db);
  const second = await insertDevice(db, { userId, serverId, name: '门店' });
  const third = await insertDevice(db, { userId, serverId, name: '仓库', enabled: false });
  await insertMapping(db, { deviceId, serverId, prefix: 'nas' });
  const others = await insertDevice(db, { userId: await insertUser(db, 'wang'), serverId, name: '别人的' });
  return { userId, ids: [deviceId, second, third] as const, others };
}

async function send(browser: TestBrowser, method: 'PATCH' | 'POST', body: object): Promise<ManyDevicesReply> {
  const { status, body: reply } = await browser.call(method, method === 'POST' ? `${routers}delete/` : routers, body);
  expect(status).toBe(200);
  return reply as ManyDevicesReply;
}

async function listed(browser: TestBrowser): Promise<Device[]> {
  const { body } = await browser.call('GET', routers);
  return (body as { results: Device[] }).results.toSorted((a, b) => a.id - b.id);
}

test('several devices are moved to a group, pinned and switched off by one call', async () => {
  await using t = await openTestDb();
  const { userId, ids } = await insertSome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const [first, second] = ids;
  const body = { ids: [first, second, second], group: ' 分店 ', pinned: true, enabled: false };
  expect(await send(browser, 'PATCH', body)).toEqual({ done: [first, second], refused: [] });
  const devices = await listed(browser);
  expect(devices.map(({ group, pinned, state }) => [group, pinned, state])).toEqual([
    ['分店', true, 'disabled'],
    ['分店', true, 'disabled'],
    ['', false, 'disabled'],
  ]);
  expect((await browser.call('PATCH', `${routers}${first}/`, { group: '' })).body).toMatchObject({ group: '' });
});

test('what cannot be changed is named with its reason, and the others are changed', async () => {
  await using t = await openTestDb();
  const { userId, ids, others } = await insertSome(t.db);
  const [first, second, third] = ids;
  await t.db.updateTable('device').set({ suspendedAt: new Date() }).where('id', '=', second).execute();
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reply = await send(browser, 'PATCH', { ids: [others, first, second, third], enabled: true });
  expect(reply.done).toEqual([first, third]);
  expect(reply.refused).toEqual([
    { id: others, code: 'device.not-found', detail: '没有找到该设备' },
    { id: second, code: 'device.suspended', detail: '这台设备已被管理员停用，请联系管理员' },
  ]);
});

test('several devices are deleted with their mappings, those of others are not', async () => {
  await using t = await openTestDb();
  const { userId, ids, others } = await insertSome(t.db);
  const [first, second, third] = ids;
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reply = await send(browser, 'POST', { ids: [first, others, third, first] });
  expect(reply.done).toEqual([first, third]);
  expect(reply.refused).toMatchObject([{ id: others, code: 'device.not-found' }]);
  expect((await listed(browser)).map(({ id }) => id)).toEqual([second]);
  const left = await t.db.selectFrom('device').select('id').orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual([second, others]);
  expect(await t.db.selectFrom('mapping').select('id').execute()).toEqual([]);
});

test('bad input is refused', async () => {
  await using t = await openTestDb();
  const { userId } = await insertSome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  for (const body of [
    { ids: [] },
    { ids: Array.from({ length: 501 }, (_, n) => n + 1), pinned: true },
    { ids: [1], name: '都一样' },
    { ids: [1], group: 'x'.repeat(41) },
    { ids: [1], group: 'a\u202Eb' },
  ]) {
    expect((await browser.call('PATCH', routers, body)).status).toBe(422);
  }
});
