import type { Device } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertPlan, insertProduct } from '../../testing/billing-fixtures.ts';
import { insertDevice, insertHome } from '../../testing/device-fixtures.ts';
import { storeBilling } from '../plans/index.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { noChecks } from '../../testing/no-checks.ts';

const routers = '/api/user/routers/';
const ended = new Date('2020-02-01');

async function openHome(db: Db) {
  await storeBilling(db, 'on');
  const home = await insertHome(db);
  const deps = { db, version: '0.1.0', publicUrl: 'http://localhost:8080', tlsPort: 8443, monotonicMs: () => 0 };
  const app = await openTestApp(db, (server) =>
    registerDeviceRoutes(server, { ...deps, defaultBandwidthBps: null, ...noChecks }),
  );
  const browser = await app.browserOf(home.userId);
  const patch = async (deviceId: number, body: object) => await browser.call('PATCH', `${routers}${deviceId}/`, body);
  const read = async (deviceId: number): Promise<Device | undefined> =>
    ((await browser.call('GET', routers)).body as { results: Device[] }).results.find(({ id }) => id === deviceId);
  const productId = await insertProduct(db);
  return { ...home, productId, patch, read, [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose]() };
}

test('a device shows its plan, or that it needs one', async () => {
  await using t = await openTestDb();
  await using home = await openHome(t.db);
  const { deviceId } = home;
  expect(await home.read(deviceId)).toMatchObject({ state: 'plan_expired', plan: null });

  const id = await insertPlan(t.db, { ...home, endsAt: ended });
  expect(await home.read(deviceId)).toMatchObject({ state: 'plan_expired', plan: { id, is_expired: true } });
  await t.db
    .updateTable('plan')
    .set({ endsAt: new Date('2040-01-01') })
    .execute();

  expect(await home.read(deviceId)).toMatchObject({
    ...{ state: 'never_connected', bandwidth_bps: 4_000_000, mapping_limit: 12 },
    plan: { id, name: '标准版', is_free: false, is_expired: false, ends_at: '2040-01-01T00:00:00.000Z' },
  });
});

test('a plan moves from one device to another, and is taken off', async () => {
  await using t = await openTestDb();
  await using home = await openHome(t.db);
  const second = await insertDevice(t.db, home);
  const id = await insertPlan(t.db, home);

  expect(await home.patch(second, { plan_ids_to_add: [id] })).toMatchObject({ status: 200, body: { plan: { id } } });
  expect(await home.read(home.deviceId)).toMatchObject({ plan: null });
  expect(await home.patch(home.deviceId, { plan_ids_to_remove: [id] })).toMatchObject({
    body: { code: 'plan.not-found' },
  });
  expect(await home.patch(second, { plan_ids_to_remove: [id] })).toMatchObject({ status: 200, body: { plan: null } });
});

test('a plan is not bound over another that is valid, but over one that is over', async () => {
  await using t = await openTestDb();
  await using home = await openHome(t.db);
  const present = await insertPlan(t.db, home);
  const other = await insertPlan(t.db, { ...home, deviceId: null });

  expect(await home.patch(home.deviceId, { plan_ids_to_add: [other] })).toMatchObject({
    body: { code: 'plan.device-has-plan' },
  });
  await t.db.updateTable('plan').set({ endsAt: ended }).where('id', '=', present).execute();
  expect(await home.patch(home.deviceId, { plan_ids_to_add: [other] })).toMatchObject({
    body: { plan: { id: other } },
  });
  expect(await home.patch(home.deviceId, { plan_ids_to_add: [present] })).toMatchObject({
    body: { code: 'plan.not-found' },
  });
});

test('the plan of somebody else cannot be bound', async () => {
  await using t = await openTestDb();
  await using home = await openHome(t.db);
  const other = await insertHome(t.db, 'wang');
  const id = await insertPlan(t.db, { ...other, productId: home.productId, deviceId: null });
  expect(await home.patch(home.deviceId, { plan_ids_to_add: [id] })).toMatchObject({
    body: { code: 'plan.not-found' },
  });
});

test('ten devices race for one plan, and one has it', async () => {
  await using t = await openTestDb();
  await using home = await openHome(t.db);
  const id = await insertPlan(t.db, { ...home, deviceId: null });
  const devices = await Promise.all(Array.from({ length: 10 }, () => insertDevice(t.db, home)));

  await Promise.all(devices.map((deviceId) => home.patch(deviceId, { plan_ids_to_add: [id] })));

  const bound = await Promise.all(devices.map(async (deviceId) => (await home.read(deviceId))?.plan?.id));
  expect(bound.filter((planId) => planId === id)).toHaveLength(1);
});
