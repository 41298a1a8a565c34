import type { Device, ManagedDevice } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertMapping, insertServer } from '../../testing/device-fixtures.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerDeviceRoutes } from '../devices/index.ts';
import { registerManageDeviceRoutes } from './index.ts';
import { noChecks } from '../../testing/no-checks.ts';

const path = '/api/manage/devices/';

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerManageDeviceRoutes(app, { db }));
}

async function namesOf(browser: TestBrowser, query = ''): Promise<string[]> {
  const { body } = await browser.call('GET', `${path}?${query}`);
  return (body as { results: ManagedDevice[] }).results.map(({ name }) => name);
}

async function insertTwoHomes(db: Db) {
  const staffId = await insertAccount(db, { username: 'staff', isStaff: true });
  const [li, wang] = [await insertAccount(db, { username: 'li' }), await insertAccount(db, { username: 'wang' })];
  const serverId = await insertServer(db);
  const nas = await insertDevice(db, { userId: li, serverId, name: 'NAS' });
  const pc = await insertDevice(db, { userId: wang, serverId, name: '书房电脑' });
  await insertMapping(db, { deviceId: nas, serverId, prefix: 'nas' });
  return { staffId, li, wang, nas, pc };
}

test('staff find devices by name, uid and owner', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { staffId, wang, nas, pc } = await insertTwoHomes(t.db);
  const staff = await app.browserOf(staffId);
  const { uid } = await t.db.selectFrom('device').where('id', '=', nas).select('uid').executeTakeFirstOrThrow();

  expect((await staff.call('GET', path)).body).toMatchObject({
    count: 2,
    results: [
      {
        id: nas,
        name: 'NAS',
        user: { username: 'li' },
        state: 'never_connected',
        mapping_count: 1,
        suspended_at: null,
      },
      { id: pc, name: '书房电脑', user: { username: 'wang' }, mapping_count: 0, plan: null },
    ],
  });
  expect(await namesOf(staff, 'search=nas')).toEqual(['NAS']);
  expect(await namesOf(staff, `search=${uid.slice(2, 9)}`)).toEqual(['NAS']);
  expect(await namesOf(staff, 'search=WANG')).toEqual(['书房电脑']);
  expect(await namesOf(staff, `user=${wang}`)).toEqual(['书房电脑']);
  expect(await namesOf(staff, 'suspended=true')).toEqual([]);
  expect(await namesOf(staff, 'limit=1&offset=1')).toEqual(['书房电脑']);
});

test('relays are notified at once of a suspended device, it is on record, and it works again afterwards', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { staffId, nas } = await insertTwoHomes(t.db);
  const staff = await app.browserOf(staffId);
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  const suspended = await staff.call('POST', `${path}${nas}/suspended/`);
  expect(suspended.body).toMatchObject({ state: 'disabled', suspended_at: expect.any(String) });
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId: nas });
  expect(await namesOf(staff, 'suspended=true')).toEqual(['NAS']);
  const again = await staff.call('POST', `${path}${nas}/suspended/`);
  expect(again.body).toMatchObject({ suspended_at: (suspended.body as ManagedDevice).suspended_at });

  const resumed = await staff.call('DELETE', `${path}${nas}/suspended/`);
  expect(resumed.body).toMatchObject({ suspended_at: null });
  const entries = await t.db.selectFrom('auditEntry').selectAll().orderBy('id').execute();
  expect(entries).toMatchObject([
    { action: 'device.suspended', actorId: staffId, objectId: nas, objectName: 'NAS', before: { suspendedAt: null } },
    { action: 'device.suspended' },
    { action: 'device.resumed', after: { suspendedAt: null } },
  ]);
});

test('its owner sees that staff have suspended a device, and cannot enable it', async () => {
  await using t = await openTestDb();
  const deps = { db: t.db, version: '0.1.0', publicUrl: 'http://localhost', tlsPort: 8443, monotonicMs: () => 0 };
  await using app = await openTestApp(t.db, (server) =>
    registerDeviceRoutes(server, { ...deps, defaultBandwidthBps: null, ...noChecks }),
  );
  const { li, nas } = await insertTwoHomes(t.db);
  await t.db.updateTable('device').set({ suspendedAt: new Date() }).where('id', '=', nas).execute();
  const owner = await app.browserOf(li);

  const enabled = await owner.call('PATCH', `/api/user/routers/${nas}/`, { enabled: true });
  const renamed = await owner.call('PATCH', `/api/user/routers/${nas}/`, { name: '旧 NAS' });

  expect(enabled).toMatchObject({ status: 409, body: { code: 'device.suspended' } });
  expect(renamed.body as Device).toMatchObject({ name: '旧 NAS', suspended: true, state: 'disabled', online: false });
});

test('only a superuser suspends the device of a superuser', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { staffId, pc, wang } = await insertTwoHomes(t.db);
  await t.db.updateTable('userAccount').set({ isSuperuser: true }).where('id', '=', wang).execute();
  const [staff, superuser] = [await app.browserOf(staffId), await app.browserOf(wang)];

  expect((await staff.call('POST', `${path}${pc}/suspended/`)).body).toMatchObject({ code: 'user.superuser' });
  expect((await superuser.call('POST', `${path}${pc}/suspended/`)).status).toBe(200);
});

test.each([
  ['nobody who is logged in', false, 'session.required'],
  ['a user without a flag', true, 'session.forbidden'],
])('%s is refused', async (_who, isLoggedIn, code) => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { li, nas } = await insertTwoHomes(t.db);
  const browser = isLoggedIn ? await app.browserOf(li) : app.browser();

  for (const [method, url] of [
    ['GET', path],
    ['POST', `${path}${nas}/suspended/`],
    ['DELETE', `${path}${nas}/suspended/`],
  ] as const)
    expect((await browser.call(method, url)).body).toMatchObject({ code });
});

test('there is no such device', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { staffId } = await insertTwoHomes(t.db);

  const reply = await (await app.browserOf(staffId)).call('POST', `${path}999/suspended/`);

  expect(reply.body).toMatchObject({ code: 'device.not-found' });
});
