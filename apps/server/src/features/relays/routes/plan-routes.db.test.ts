import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertPlan, insertProduct } from '../../../testing/billing-fixtures.ts';
import { insertCloudApp } from '../../../testing/cloud-app-fixtures.ts';
import { insertHome, insertMapping } from '../../../testing/device-fixtures.ts';
import { storeBilling } from '../../plans/index.ts';
import { readRoutes } from './route-store.ts';

const endsAt = new Date('2040-01-01');

async function openHome(db: Db) {
  await storeBilling(db, 'on');
  const home = await insertHome(db);
  const productId = await insertProduct(db);
  const read = async () =>
    (await readRoutes(db, [home.deviceId], { defaultBandwidthBps: 1_000_000, sealingKey: Buffer.alloc(32, 2) }))[0];
  return { ...home, productId, read };
}

test('relays get the end and the bandwidth of the plan', async () => {
  await using t = await openTestDb();
  const { read, ...home } = await openHome(t.db);
  expect(await read()).toMatchObject({ planEndsAtMs: 0, bandwidthBps: 1_000_000 });

  await insertPlan(t.db, { ...home, endsAt });

  expect(await read()).toMatchObject({ planEndsAtMs: endsAt.getTime(), bandwidthBps: 4_000_000 });
});

test('without billing a device needs no plan', async () => {
  await using t = await openTestDb();
  const { read, ...home } = await openHome(t.db);
  await insertPlan(t.db, { ...home, endsAt: new Date('2020-02-01'), mappingLimit: 1 });
  await storeBilling(t.db, 'off');

  const routes = await read();

  expect(routes).toMatchObject({ bandwidthBps: 1_000_000 });
  expect(routes).not.toHaveProperty('planEndsAtMs');
});

test('the newest of the switched-on mappings beyond the limit are closed', async () => {
  await using t = await openTestDb();
  const { read, ...home } = await openHome(t.db);
  for (const prefix of ['a', 'b', 'c', 'd']) {
    await insertMapping(t.db, { ...home, prefix, enabled: prefix !== 'b' });
  }
  await insertPlan(t.db, { ...home, mappingLimit: 2 });

  const over = (await read())?.routes.map(({ host, isOverPlanLimit = false }) => [host, isOverPlanLimit]);

  expect(over).toEqual([
    ['a.localhost', false],
    ['b.localhost', false],
    ['c.localhost', false],
    ['d.localhost', true],
  ]);
});

test('apps of kinds that the plan lacks have no route', async () => {
  await using t = await openTestDb();
  const { read, ...home } = await openHome(t.db);
  const ssh = await insertCloudApp(t.db, { deviceId: home.deviceId, kind: 'ssh' });
  await insertCloudApp(t.db, { deviceId: home.deviceId, kind: 'vnc' });
  await insertPlan(t.db, { ...home, appKinds: ['ssh'] });

  expect((await read())?.apps?.map(({ appId }) => appId)).toEqual([ssh]);
});
