import type { DeviceChange } from '../live/index.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertPlan, insertProduct } from '../../testing/billing-fixtures.ts';
import { insertAppMember, insertCloudApp } from '../../testing/cloud-app-fixtures.ts';
import {
  insertDevice,
  insertHome,
  insertMapping,
  insertPresence,
  insertRelay,
  insertUser,
} from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { storeBilling } from '../plans/index.ts';
import { registerAdoptionRoutes } from './adoption-routes.ts';

/** A device that was lost in August, and one that came later. */
async function open({ isLostOnline = false } = {}) {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const { userId, serverId, deviceId: lostId } = await insertHome(t.db);
  await insertRelay(t.db, { serverId });
  await insertPresence(t.db, { deviceId: lostId, ...(!isLostOnline && { offlineReason: 'no_heartbeat' }) });
  const successorId = await insertDevice(t.db, { userId, serverId, name: 'NAS 2' });
  await insertPresence(t.db, { deviceId: successorId });
  await t.db
    .updateTable('devicePresence')
    .set({ changedAt: new Date(Date.now() - 60_000) })
    .execute();
  const sent: DeviceChange[] = [];
  const app = parts.use(
    await openTestApp(t.db, (server) =>
      registerAdoptionRoutes(server, { db: t.db, whenSentToRelays: async (change) => void sent.push(change) }),
    ),
  );
  const owner = await app.browserOf(userId);
  const path = (id: number) => `/api/user/routers/${id}/adoption/`;
  return {
    ...{ t, db: t.db, app, owner, userId, serverId, lostId, successorId, sent, path },
    adopt: async (router = successorId, id = lostId) => await owner.call('POST', path(id), { router }),
    deviceOf: async (table: 'mapping' | 'cloudApp', id: number) =>
      (await t.db.selectFrom(table).where('id', '=', id).select('deviceId').executeTakeFirst())?.deviceId,
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

test('everything of a lost device moves to the new one, and the lost one is deleted', async () => {
  await using it = await open();
  const { db, lostId, successorId, serverId, userId } = it;
  const mappingId = await insertMapping(db, { deviceId: lostId, serverId, prefix: 'nas' });
  const ownId = await insertMapping(db, { deviceId: successorId, serverId, prefix: 'new' });
  const appId = await insertCloudApp(db, { deviceId: lostId });
  await insertAppMember(db, { appId, userId: await insertUser(db, 'wang') });
  const allowList = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4', '203.0.113.5', '203.0.113.6'];
  await db.updateTable('device').set({ allowList, bandwidthBps: 1_000 }).where('id', '=', lostId).execute();
  const own = ['203.0.113.6', '203.0.113.7', '203.0.113.8', '203.0.113.9'];
  await db.updateTable('device').set({ allowList: own, pinned: true }).where('id', '=', successorId).execute();
  await storeBilling(db, 'on');
  const productId = await insertProduct(db);
  const planId = await insertPlan(db, { userId, deviceId: lostId, productId });

  expect((await it.owner.call('GET', it.path(lostId))).body).toMatchObject({
    ...{ mappings: 1, cloud_apps: 1, members: 1, share_links: 0, allow_list: 6, plan: '标准版' },
    candidates: [{ id: successorId, name: 'NAS 2', online: true, plan: null, reasons: ['same-name', 'same-address'] }],
  });
  expect((await it.owner.call('GET', '/api/user/lost_routers/')).body).toEqual([
    {
      ...{ lost: lostId, lost_name: 'NAS', router: successorId, router_name: 'NAS 2' },
      reasons: ['same-name', 'same-address'],
    },
  ]);

  const other = await it.app.browserOf(await insertUser(db, 'zhao'));
  expect((await other.call('GET', '/api/user/lost_routers/')).body).toEqual([]);

  expect((await it.adopt()).status).toBe(200);
  expect(await it.deviceOf('mapping', mappingId)).toBe(successorId);
  expect(await it.deviceOf('mapping', ownId)).toBe(successorId);
  expect(await it.deviceOf('cloudApp', appId)).toBe(successorId);
  const devices = await db.selectFrom('device').select(['id', 'name', 'pinned', 'allowList', 'bandwidthBps']).execute();
  const merged = [...allowList, '203.0.113.7', '203.0.113.8'];
  expect(devices).toEqual([{ id: successorId, name: 'NAS', pinned: true, allowList: merged, bandwidthBps: 1_000 }]);
  expect(await db.selectFrom('plan').select(['id', 'deviceId']).execute()).toEqual([
    { id: planId, deviceId: successorId },
  ]);
  expect(it.sent).toMatchObject([{ deviceId: successorId }]);
  // Nothing was given up: the prefix is not reserved as a released one.
  expect(await db.selectFrom('releasedPrefix').selectAll().execute()).toEqual([]);
  expect((await it.owner.call('GET', '/api/user/lost_routers/')).body).toEqual([]);
});

test('the plan of the lost device moves unless the new one has a better one; the other becomes unbound', async () => {
  await using it = await open();
  const { db, userId } = it;
  const productId = await insertProduct(db);
  const past = new Date('2026-01-01');
  const cases = [
    { lost: {}, successor: {}, stays: 'lost' },
    { lost: { endsAt: past }, successor: {}, stays: 'successor' },
    { lost: { endsAt: past }, successor: { priceFen: 0 }, stays: 'successor' },
    { lost: { endsAt: past }, successor: { endsAt: past }, stays: 'lost' },
    { lost: { priceFen: 0 }, successor: {}, stays: 'successor' },
    { lost: {}, successor: { priceFen: 0 }, stays: 'lost' },
  ];
  for (const { lost, successor, stays } of cases) {
    const [first, second] = [await insertDevice(db, it), await insertDevice(db, it)];
    const lostPlan = await insertPlan(db, { userId, productId, deviceId: first, ...lost });
    const otherPlan = await insertPlan(db, { userId, productId, deviceId: second, ...successor });
    expect((await it.adopt(second, first)).status).toBe(200);
    const rows = await db.selectFrom('plan').where('id', 'in', [lostPlan, otherPlan]).selectAll().execute();
    const bound = rows.filter(({ deviceId }) => deviceId === second).map(({ id }) => id);
    expect([lost, successor, bound]).toEqual([lost, successor, [stays === 'lost' ? lostPlan : otherPlan]]);
    expect(rows.filter(({ deviceId }) => deviceId === null)).toHaveLength(1);
  }
});

test('only a device that is offline moves, within its region, and not past what staff or limits forbid', async () => {
  await using it = await open({ isLostOnline: true });
  expect((await it.adopt()).body).toMatchObject({ code: 'adoption.not-lost' });
  await it.db
    .updateTable('devicePresence')
    .set({ online: false, offlineReason: 'no_heartbeat' })
    .where('deviceId', '=', it.lostId)
    .execute();
  expect((await it.adopt(it.lostId)).body).toMatchObject({ code: 'adoption.not-lost' });
  for (const id of [it.lostId, it.successorId]) {
    await it.db.updateTable('device').set({ suspendedAt: new Date() }).where('id', '=', id).execute();
    expect((await it.adopt()).body).toMatchObject({ code: 'device.suspended' });
    await it.db.updateTable('device').set({ suspendedAt: null }).execute();
  }
  const region = await it.db
    .insertInto('server')
    .values({ name: '上海', suffix: 'sh.example' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const elsewhere = await insertDevice(it.db, { userId: it.userId, serverId: region.id });
  expect((await it.adopt(elsewhere)).body).toMatchObject({ code: 'adoption.other-region' });
  await sql`insert into mapping (device_id, server_id, kind, prefix, target_host, target_port, policy)
    select ${it.lostId}, ${it.serverId}, 'http', 'p' || n, '192.168.1.1', 80, 'owner' from generate_series(1, 500) n`.execute(
    it.db,
  );
  await insertMapping(it.db, { deviceId: it.successorId, serverId: it.serverId, prefix: 'one' });
  expect((await it.adopt()).body).toMatchObject({ code: 'mapping.limit-reached' });
});

test('a device that runs frpc takes mappings over without UDP, and one with its own frpc.toml neither gives nor takes', async () => {
  await using it = await open();
  const { db, lostId, successorId, serverId } = it;
  const setFrpc = async (id: number, frpcLogin: string | null) =>
    await db
      .updateTable('device')
      .set({ publicKey: null, frpcTokenSealed: Buffer.alloc(1), frpcLogin })
      .where('id', '=', id)
      .execute();
  const nas = await insertMapping(db, { deviceId: lostId, serverId, prefix: 'nas' });
  const dns = await insertMapping(db, { deviceId: lostId, serverId, kind: 'udp', port: 20_000 });
  for (const id of [lostId, successorId]) {
    await setFrpc(id, 'tt-0123456789');
    expect((await it.owner.call('GET', it.path(lostId))).body).toMatchObject({ candidates: [] });
    expect((await it.owner.call('GET', '/api/user/lost_routers/')).body).toEqual([]);
    expect(await it.adopt()).toMatchObject({ status: 409, body: { code: 'adoption.managed-by-frpc' } });
    await setFrpc(id, null);
  }
  expect(await it.adopt()).toMatchObject({ status: 409, body: { code: 'adoption.no-udp' } });
  await db.deleteFrom('mapping').where('id', '=', dns).execute();
  expect(await it.adopt()).toMatchObject({ status: 200 });
  expect(await it.deviceOf('mapping', nas)).toBe(successorId);
});

test('nobody moves devices of another user, or without a confirmation', async () => {
  await using it = await open();
  const userId = await insertUser(it.db, 'wang');
  const theirs = await insertDevice(it.db, { userId, serverId: it.serverId });
  expect(await it.adopt(theirs)).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect(await it.adopt(it.successorId, theirs)).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect(await it.owner.call('GET', it.path(theirs))).toMatchObject({ status: 404 });
  const stale = await it.app.browserOf(it.userId);
  await it.db.updateTable('session').set({ confirmedUntil: null }).execute();
  const body = { router: it.successorId };
  expect(await stale.call('POST', it.path(it.lostId), body)).toMatchObject({
    body: { code: 'session.confirm-required' },
  });
});

test('of two moves at once one wins, and the other finds no device', async () => {
  await using it = await open();
  const { db, lostId, serverId } = it;
  const third = await insertDevice(db, it);
  const mappingId = await insertMapping(db, { deviceId: lostId, serverId, prefix: 'nas' });
  const [first, second] = await runBothWhileLocked(
    it.t,
    async (tx) => await tx.selectFrom('device').where('id', '=', lostId).select('id').forUpdate().execute(),
    async () => await it.adopt(),
    async () => await it.adopt(third),
  );
  expect([first, second]).toMatchObject([{ value: { status: 200 } }, { value: { status: 404 } }]);
  expect(await it.deviceOf('mapping', mappingId)).toBe(it.successorId);
});

test('a lost device that comes back at this moment either keeps all or has been deleted before', async () => {
  await using it = await open();
  const { db, lostId, serverId } = it;
  const mappingId = await insertMapping(db, { deviceId: lostId, serverId, prefix: 'nas' });
  const comesBack = async () =>
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('device').where('id', '=', lostId).select('id').forNoKeyUpdate().execute();
      await tx
        .updateTable('devicePresence')
        .set({ online: true, offlineReason: null })
        .where('deviceId', '=', lostId)
        .execute();
    });
  const lock = async (tx: typeof db) =>
    await tx.selectFrom('device').where('id', '=', lostId).select('id').forUpdate().execute();
  const [, refused] = await runBothWhileLocked(it.t, lock, comesBack, async () => await it.adopt());
  expect(refused).toMatchObject({ value: { status: 409, body: { code: 'adoption.not-lost' } } });
  expect(await it.deviceOf('mapping', mappingId)).toBe(lostId);

  await db
    .updateTable('devicePresence')
    .set({ online: false, offlineReason: 'no_heartbeat' })
    .where('deviceId', '=', lostId)
    .execute();
  const [moved] = await runBothWhileLocked(it.t, lock, async () => await it.adopt(), comesBack);
  expect(moved).toMatchObject({ value: { status: 200 } });
  expect(await it.deviceOf('mapping', mappingId)).toBe(it.successorId);
});

test('for every column of a device, and every table with one, it is decided whether it moves', async () => {
  await using t = await openTestDb();
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and (table_name = 'device' or column_name = 'device_id')
      and table_name not in (select table_name from information_schema.views where table_schema = current_schema())
    order by 1`.execute(t.db);
  const moved = [
    ...['cloud_app', 'deleted_mapping', 'mapping', 'plan', 'product_order', 'refused_visit', 'verification'].map(
      (table) => `${table}.device_id`,
    ),
    ...['device_uptime', 'usage_place_day', 'usage_recent', 'usage_sum', 'usage_visitor_day'].map(
      (table) => `${table}.device_id`,
    ),
    ...[
      'alerts_enabled',
      'allow_list',
      'bandwidth_bps',
      'discovery_enabled',
      'enabled',
      'group_name',
      'name',
      'pinned',
    ].map((column) => `device.${column}`),
  ];
  const ofTheMachine = [
    ...[
      'connection_check',
      'device_connection',
      'device_presence',
      'frpc_login',
      'lan_host',
      'lan_scan',
      'notified_absence',
    ].map((table) => `${table}.device_id`),
    ...[
      'created_at',
      'frpc_login',
      'frpc_token_sealed',
      'id',
      'public_key',
      'server_id',
      'suspended_at',
      'uid',
      'user_id',
      'watched_from',
    ].map((column) => `device.${column}`),
  ];
  expect(rows.map(({ name }) => name)).toEqual([...moved, ...ofTheMachine].toSorted());
});
