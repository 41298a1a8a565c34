import type { Device } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  insertDevice,
  insertHome,
  insertMapping,
  insertPresence,
  insertRelay,
  insertUser,
  usageOf,
} from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { storeUsage } from '../usage/index.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { noChecks } from '../../testing/no-checks.ts';

const routers = '/api/user/routers/';

async function openApp(db: Db, { version = '0.1.0' } = {}): Promise<TestApp> {
  const deps = { db, version, publicUrl: 'http://localhost:8080', tlsPort: 8443, monotonicMs: () => performance.now() };
  return await openTestApp(db, (app) => registerDeviceRoutes(app, { ...deps, defaultBandwidthBps: null, ...noChecks }));
}

async function list(browser: TestBrowser, query = ''): Promise<{ results: Device[]; [page: string]: unknown }> {
  const reply = await browser.call('GET', `${routers}${query}`);
  expect(reply.status).toBe(200);
  return reply.body as { results: Device[] };
}

test('a device is listed with its state, server and mappings', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await insertRelay(t.db, home);
  await insertPresence(t.db, home);
  await using app = await openApp(t.db);

  const page = await list(await app.browserOf(home.userId));

  expect(page).toEqual({
    count: 1,
    next: null,
    previous: null,
    results: [
      {
        id: home.deviceId,
        uid: expect.stringMatching(/^[0-9a-f]{12}$/),
        name: 'NAS',
        pinned: false,
        group: '',
        online: true,
        state: 'online',
        state_since: '2026-11-21T08:00:00.000Z',
        offline_reason: null,
        public_ip: '203.0.113.7',
        relays: { connected: 1, running: 1 },
        lossy_line: null,
        agent_version: '0.1.0',
        agent_upgrade: null,
        platform: 'linux-x64',
        program: 'agent',
        server: { id: home.serverId, name: '本地服务器', suffix: 'localhost' },
        allow_list: [],
        bandwidth_bps: null,
        alerts_enabled: true,
        plan: null,
        suspended: false,
        mapping_limit: 500,
        mappings: [expect.objectContaining({ id: mappingId, router: home.deviceId, url: 'http://nas.localhost:8080' })],
        created_at: expect.any(String),
      },
    ],
  });
});

test('a device whose agent is older than the one that the server hands out can be upgraded', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await insertPresence(t.db, home);
  await insertDevice(t.db, { ...home, name: 'never connected' });
  const upgradesAt = async (version: string) => {
    await using app = await openApp(t.db, { version });
    const { results } = await list(await app.browserOf(home.userId));
    return results.map((device) => [device.agent_version, device.agent_upgrade]);
  };

  expect(await upgradesAt('0.2.0')).toEqual([
    ['0.1.0', '0.2.0'],
    ['', null],
  ]);
  expect(await upgradesAt('0.1.0')).toEqual([
    ['0.1.0', null],
    ['', null],
  ]);
});

test('a device stays online for 15 s after its relay’s last heartbeat', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  await insertPresence(t.db, home);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);
  const stateAfter = async (silentSeconds: number) => {
    await insertRelay(t.db, { ...home, silentSeconds });
    return (await list(browser)).results[0];
  };

  // Repeated because on a slow machine the remaining 2 s may pass before the call.
  await expect.poll(() => stateAfter(13)).toMatchObject({ online: true, state: 'online', offline_reason: null });
  const lost = await stateAfter(16);
  expect(lost).toMatchObject({ online: false, state: 'offline', offline_reason: 'relay_lost' });
  const relay = await t.db.selectFrom('relay').select('lastSeenAt').executeTakeFirstOrThrow();
  expect(lost?.state_since).toBe(relay.lastSeenAt.toISOString());
});

test('a device that never connected, is offline or is disabled has a state of its own', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const offlineId = await insertDevice(t.db, { ...home, name: 'offline' });
  const offId = await insertDevice(t.db, { ...home, name: 'off', enabled: false });
  await insertRelay(t.db, home);
  await insertPresence(t.db, { deviceId: offlineId, offlineReason: 'agent_stopped' });
  await insertPresence(t.db, { deviceId: offId });
  await using app = await openApp(t.db);

  const { results } = await list(await app.browserOf(home.userId));

  const states = new Map(results.map((device) => [device.id, device]));
  expect(states.get(home.deviceId)).toMatchObject({ state: 'never_connected', state_since: null, public_ip: '' });
  expect(states.get(offlineId)).toMatchObject({ state: 'offline', offline_reason: 'agent_stopped', online: false });
  expect(states.get(offlineId)?.state_since).toBe('2026-11-21T08:00:00.000Z');
  expect(states.get(offId)).toMatchObject({ state: 'disabled', online: false, offline_reason: null });
});

test('pinned devices come first, then names in order, page by page', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  const { serverId, deviceId: foreign } = await insertHome(t.db, 'zhao');
  for (const name of ['c', 'a', 'b']) await insertDevice(t.db, { userId, serverId, name });
  await insertDevice(t.db, { userId, serverId, name: 'z', pinned: true });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const first = await list(browser, '?limit=2');
  const second = await list(browser, '?limit=2&offset=2');
  const beyond = await list(browser, '?limit=2&offset=40');

  expect(first.results.map((device) => device.name)).toEqual(['z', 'a']);
  expect(first).toMatchObject({ count: 4, previous: null, next: `${routers}?limit=2&offset=2` });
  expect(second.results.map((device) => device.name)).toEqual(['b', 'c']);
  expect(second).toMatchObject({ count: 4, previous: `${routers}?limit=2&offset=0`, next: null });
  expect(beyond).toMatchObject({ count: 4, results: [], next: null });
  expect([...first.results, ...second.results].map((device) => device.id)).not.toContain(foreign);
});

test.each(['?limit=0', '?limit=501', '?limit=x', '?offset=-1', '?limit=1.5', '?offset=1e99'])(
  'a page of %s is refused',
  async (query) => {
    await using t = await openTestDb();
    const userId = await insertUser(t.db, 'li');
    await using app = await openApp(t.db);
    const browser = await app.browserOf(userId);

    expect(await browser.call('GET', `${routers}${query}`)).toMatchObject({
      status: 422,
      body: { code: 'request.invalid' },
    });
  },
);

test.each([
  ['alerts_enabled', { alerts_enabled: false }, { alerts_enabled: true }],
  ['enabled', { enabled: false }, { enabled: true }],
])('an absence counts from when %s was switched on again, and no other change moves that', async (_, off, on) => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const longAgo = new Date('2026-01-01T00:00:00Z');
  await t.db.updateTable('device').set({ watchedFrom: longAgo }).execute();
  const change = async (patch: object): Promise<Date> => {
    expect(await browser.call('PATCH', `${routers}${deviceId}/`, patch)).toMatchObject({ status: 200 });
    return (await t.db.selectFrom('device').select('watchedFrom').executeTakeFirstOrThrow()).watchedFrom;
  };

  expect(await change({ ...on, name: 'NAS 2' })).toEqual(longAgo);
  expect(await change(off)).toEqual(longAgo);
  expect((await change(on)).getTime()).toBeGreaterThan(longAgo.getTime());
});

test('a device is renamed, pinned and disabled, and the change is announced', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  const reply = await browser.call('PATCH', `${routers}${deviceId}/`, {
    name: ' 客厅的 NAS ',
    pinned: true,
    enabled: false,
  });

  expect(reply).toMatchObject({ status: 200, body: { name: '客厅的 NAS', pinned: true, state: 'disabled' } });
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId });
  expect(await browser.call('PATCH', `${routers}${deviceId}/`, {})).toMatchObject({
    status: 200,
    body: { pinned: true },
  });
});

test.each([
  ['an empty name', { name: '  ' }, 'name'],
  ['an over-long name', { name: 'x'.repeat(41) }, 'name'],
  ['control characters', { name: 'a\nb' }, 'name'],
  ['a number as name', { name: 5 }, 'name'],
  ['text for pinned', { pinned: 'yes' }, 'pinned'],
  ['null for enabled', { enabled: null }, 'enabled'],
  ['another owner', { user_id: 1 }, 'user_id'],
  ['another uid', { uid: 'abcdefabcdef' }, 'uid'],
])('%s is refused at its field', async (_, patch, field) => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const browser = await app.browserOf(userId);

  const reply = await browser.call('PATCH', `${routers}${deviceId}/`, patch);

  expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
});

test('deleting a device deletes its mappings, reserves their prefixes for its owner, and is announced', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  expect(await browser.call('DELETE', `${routers}${home.deviceId}/`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });

  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId: home.deviceId });
  expect(await t.db.selectFrom('mapping').select('id').execute()).toEqual([]);
  const { userId } = home;
  const kept = await t.db.selectFrom('releasedPrefix').select(['prefix', 'userId']).execute();
  expect(kept).toEqual([{ prefix: 'nas', userId }]);
  expect((await browser.call('DELETE', `${routers}${home.deviceId}/`)).status).toBe(404);
});

test("another user's device is not found by any call", async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const { uid } = await t.db.selectFrom('device').select('uid').executeTakeFirstOrThrow();
  await using app = await openApp(t.db);
  const otherUser = await app.browserOf(await insertUser(t.db, 'zhao'));
  const path = `${routers}${home.deviceId}/`;

  const replies = [
    await otherUser.call('PATCH', path, { name: 'mine' }),
    await otherUser.call('PATCH', path, {}),
    await otherUser.call('DELETE', path),
    await otherUser.call('POST', `${path}check_domain_connection/`, { record: mappingId }),
    await otherUser.call('GET', `/custom/router_info/?uid=${uid}`),
    await otherUser.call('GET', '/custom/router_info/?domain=nas.localhost'),
    await otherUser.call('PATCH', `${routers}999999/`, {}),
    await otherUser.call('PATCH', `${routers}99999999999/`, {}),
    await otherUser.call('DELETE', `${routers}x/`),
  ];

  for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  expect(await list(otherUser)).toMatchObject({ count: 0, results: [] });
  expect(await t.db.selectFrom('device').select('name').execute()).toEqual([{ name: 'NAS' }]);
});

test('every call needs a login, and every change the CSRF header', async () => {
  await using t = await openTestDb();
  const { deviceId, userId } = await insertHome(t.db);
  await using app = await openApp(t.db);
  const owner = await app.browserOf(userId);
  const path = `${routers}${deviceId}/`;
  const noHeader = { 'x-csrftoken': undefined };

  for (const url of [routers, '/custom/router_info/?uid=000000000000']) {
    expect((await app.browser().call('GET', url)).status).toBe(401);
  }
  for (const [method, url, body] of [
    ['PATCH', path, { pinned: true }],
    ['DELETE', path, undefined],
    ['POST', `${path}check_domain_connection/`, { record: 1 }],
  ] as const) {
    expect((await app.browser().call(method, url, body)).status).toBe(401);
    expect(await owner.call(method, url, body, noHeader)).toMatchObject({
      status: 403,
      body: { code: 'session.csrf' },
    });
  }
});

test('a mapping in the list has its usage', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await insertMapping(t.db, { ...home, kind: 'tcp', port: 20_000 });
  await insertRelay(t.db, home);
  const entries = [usageOf(mappingId, { bytesIn: 1, bytesOut: 2, requests: 3 })];
  await storeUsage({ db: t.db, sourceKey: Buffer.alloc(32) }, { relayId: 'r1', bootId: 'boot', sequence: 1, entries });
  await using app = await openApp(t.db);

  const [device] = (await list(await app.browserOf(home.userId))).results;

  expect(device?.mappings).toMatchObject([
    { usage_24h: { bytes_in: 1, bytes_out: 2, requests: 3 } },
    { usage_24h: { bytes_in: 0, bytes_out: 0, requests: 0 } },
  ]);
});
