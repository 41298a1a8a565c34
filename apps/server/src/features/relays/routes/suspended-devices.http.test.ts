import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertServer } from '../../../testing/device-fixtures.ts';
import { insertAccount, openAccountApp } from '../../../testing/apps/open-account-app.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { registerManageDeviceRoutes } from '../../manage-devices/index.ts';
import { readRoutes } from './route-store.ts';

test('relays are notified at once that the devices of a disabled account are suspended', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await app.browserOf(await insertAccount(t.db, { username: 'staff', isStaff: true }));
  const li = await insertAccount(t.db);
  const deviceId = await insertDevice(t.db, { userId: li, serverId: await insertServer(t.db) });
  const routes = async () =>
    await readRoutes(t.db, [deviceId], { defaultBandwidthBps: null, sealingKey: Buffer.alloc(32, 2) });
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  await staff.call('POST', `/api/manage/users/${li}/disabled/`);
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId });
  expect(await routes()).toMatchObject([{ enabled: false, isSuspended: true }]);
  await staff.call('DELETE', `/api/manage/users/${li}/disabled/`);
  expect(await routes()).toMatchObject([{ enabled: true }]);
  expect((await routes())[0]).not.toHaveProperty('isSuspended');
});

test('a device that staff have suspended is suspended at the relays until they let it work again', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (server) => registerManageDeviceRoutes(server, { db: t.db }));
  const staff = await app.browserOf(await insertAccount(t.db, { username: 'staff', isStaff: true }));
  const owner = await insertAccount(t.db);
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId: owner, serverId });
  const other = await insertDevice(t.db, { userId: owner, serverId });
  const routes = async () =>
    await readRoutes(t.db, [deviceId, other], { defaultBandwidthBps: null, sealingKey: Buffer.alloc(32, 2) });

  await staff.call('POST', `/api/manage/devices/${deviceId}/suspended/`);
  expect(await routes()).toMatchObject([{ enabled: false, isSuspended: true }, { enabled: true }]);
  await staff.call('DELETE', `/api/manage/devices/${deviceId}/suspended/`);
  expect(await routes()).toMatchObject([{ enabled: true }, { enabled: true }]);
  expect((await routes())[0]).not.toHaveProperty('isSuspended');
});
