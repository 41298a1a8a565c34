import type { Device } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { noChecks } from '../../testing/no-checks.ts';

const routers = '/api/user/routers/';

async function openApp(db: Db, { defaultBandwidthBps = null as number | null } = {}): Promise<TestApp> {
  const deps = {
    db,
    publicUrl: 'http://localhost:8080',
    tlsPort: 8443,
    version: '0.1.0',
    monotonicMs: () => performance.now(),
  };
  return await openTestApp(db, (app) => registerDeviceRoutes(app, { ...deps, defaultBandwidthBps, ...noChecks }));
}

async function list(browser: TestBrowser, query = ''): Promise<{ results: Device[]; [page: string]: unknown }> {
  const reply = await browser.call('GET', `${routers}${query}`);
  expect(reply.status).toBe(200);
  return reply.body as { results: Device[] };
}

test('an allow-list is stored in canonical form, announced, replaced as a whole, and set for its device only', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const otherId = await insertDevice(t.db, home);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);
  const change = async (patch: object) => await browser.call('PATCH', `${routers}${home.deviceId}/`, patch);
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  const allow_list = [' 203.0.113.9/24 ', '2001:DB8::0:1'];
  expect(await change({ allow_list })).toMatchObject({
    status: 200,
    body: { allow_list: ['203.0.113.0/24', '2001:db8::1'] },
  });
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId: home.deviceId });
  expect((await change({ name: '书房' })).body).toMatchObject({ allow_list: ['203.0.113.0/24', '2001:db8::1'] });
  const kept = new Map((await list(browser)).results.map((device) => [device.id, device.allow_list]));
  expect(kept.get(home.deviceId)).toHaveLength(2);
  expect(kept.get(otherId)).toEqual([]);
  expect((await change({ allow_list: [] })).body).toMatchObject({ allow_list: [] });
});

test('an invalid entry of an allow-list is named and nothing is changed', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);
  const change = async (patch: object) => await browser.call('PATCH', `${routers}${home.deviceId}/`, patch);

  expect(await change({ name: '书房', allow_list: ['10.0.0.1', 'x', '::/0'] })).toMatchObject({
    status: 422,
    body: { code: 'device.allow-list-invalid', errors: { 'allow_list.1': [expect.any(String)] } },
  });
  expect(await change({ allow_list: ['0.0.0.0/0'] })).toMatchObject({
    status: 422,
    body: { code: 'device.allow-list-everyone', errors: { 'allow_list.0': [expect.stringContaining('公开')] } },
  });
  const nine = Array.from({ length: 9 }, (_, n) => `10.0.0.${n}`);
  expect((await change({ allow_list: nine })).body).toMatchObject({ errors: { allow_list: ['最多 8 个地址或网段'] } });
  expect((await change({ allow_list: '10.0.0.1' })).body).toMatchObject({ code: 'request.invalid' });
  expect((await list(browser)).results).toMatchObject([{ name: 'NAS', allow_list: [] }]);
});

test("a user cannot change another user's allow-list", async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const otherUserId = await insertUser(t.db, 'zhao');
  await using app = await openApp(t.db);

  const reply = await (
    await app.browserOf(otherUserId)
  ).call('PATCH', `${routers}${home.deviceId}/`, {
    allow_list: ['203.0.113.9'],
  });

  expect(reply).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect(await t.db.selectFrom('device').select('allowList').execute()).toEqual([{ allowList: [] }]);
});

test('a device shows its own bandwidth, else that of the installation', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using unlimited = await openApp(t.db);
  await using limited = await openApp(t.db, { defaultBandwidthBps: 4_000_000 });
  const shownBy = async (app: TestApp) => (await list(await app.browserOf(home.userId))).results[0]?.bandwidth_bps;

  expect(await shownBy(unlimited)).toBeNull();
  expect(await shownBy(limited)).toBe(4_000_000);
  await t.db.updateTable('device').set({ bandwidthBps: 8_000_000 }).execute();
  expect(await shownBy(unlimited)).toBe(8_000_000);
  expect(await shownBy(limited)).toBe(8_000_000);
});
