import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertPresence, insertRelay } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { noChecks } from '../../testing/no-checks.ts';

async function openApp(db: Db): Promise<TestApp> {
  const deps = {
    db,
    publicUrl: 'http://localhost:8080',
    tlsPort: 8443,
    version: '0.1.0',
    defaultBandwidthBps: null,
    monotonicMs: () => performance.now(),
  };
  return await openTestApp(db, (app) => registerDeviceRoutes(app, { ...deps, ...noChecks }));
}

test('the owner finds a device by uid and by any spelling of its domain', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertMapping(t.db, { ...home, prefix: 'nas' });
  const { uid } = await t.db.selectFrom('device').select('uid').executeTakeFirstOrThrow();
  await using app = await openApp(t.db);
  const browser = await app.browserOf(home.userId);
  const find = async (query: string) => await browser.call('GET', `/custom/router_info/?${query}`);

  for (const query of [`uid=${uid}`, 'domain=nas.localhost', 'domain=NAS.Localhost:8080', 'domain=nas.localhost.']) {
    expect(await find(query)).toMatchObject({ status: 200, body: { id: home.deviceId, uid } });
  }
  for (const query of [
    'uid=000000000000',
    'uid=x',
    'domain=none.localhost',
    'domain=localhost',
    'domain=%00.localhost',
  ]) {
    expect(await find(query), query).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
  }
  for (const query of [
    '',
    'uid=%00',
    `uid=${uid}&domain=nas.localhost`,
    'uid=0123456789abc',
    `domain=${'a'.repeat(261)}`,
  ]) {
    expect((await find(query)).status, query).toBe(422);
  }
});

const noTimes = { opens_at: null, closes_at: null, hours: null };

test('an anonymous client reads the state of an address, and nothing else', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await insertMapping(t.db, { ...home, prefix: 'nas' });
  await insertMapping(t.db, { ...home, prefix: 'paused', enabled: false });
  await insertMapping(t.db, { ...home, kind: 'https', customDomain: '*.home.example.com', enabled: false });
  const offId = await insertDevice(t.db, { ...home, enabled: false });
  await insertMapping(t.db, { ...home, deviceId: offId, prefix: 'off' });
  await insertRelay(t.db, home);
  await insertPresence(t.db, { deviceId: home.deviceId, offlineReason: 'no_heartbeat' });
  await using app = await openApp(t.db);
  const readState = async (domain: string) =>
    (await app.browser().call('GET', `/api/router_info/?domain=${domain}`)).body;

  expect(await readState('NAS.localhost:8080')).toEqual({
    domain: 'nas.localhost',
    state: 'offline',
    since: '2026-11-21T08:00:00.000Z',
    offline_reason: 'no_heartbeat',
    ...noTimes,
  });
  const nothing = { since: null, offline_reason: null, ...noTimes };
  expect(await readState('tv.home.example.com')).toMatchObject({ state: 'mapping_disabled' });
  expect(await readState('paused.localhost')).toEqual({
    domain: 'paused.localhost',
    state: 'mapping_disabled',
    ...nothing,
  });
  expect(await readState('off.localhost')).toEqual({ domain: 'off.localhost', state: 'disabled', ...nothing });
  expect(await readState('none.localhost')).toEqual({ domain: 'none.localhost', state: 'unknown', ...nothing });
  expect(await readState('%00')).toMatchObject({ state: 'unknown' });
  expect(await readState('')).toMatchObject({ code: 'request.invalid' });
});

test('an address outside of its opening times returns its state and these times', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const [later, past] = [new Date('2999-01-01T00:00:00Z'), new Date('2001-01-01T00:00:00Z')];
  // Five minutes of another weekday, so the present time is always outside.
  const weekday = ((new Date().getUTCDay() + 2) % 7) + 1;
  const hours = { hoursDays: [weekday], hoursFrom: 600, hoursTo: 605 };
  const insert = async (prefix: string, times: object): Promise<void> => {
    const id = await insertMapping(t.db, { ...home, prefix });
    await t.db.updateTable('mapping').set(times).where('id', '=', id).execute();
  };
  await insert('soon', { opensAt: later });
  await insert('over', { closesAt: past });
  await insert('sometimes', hours);
  await insert('never', { policy: 'closed' });
  await using app = await openApp(t.db);
  const readState = async (prefix: string) =>
    (await app.browser().call('GET', `/api/router_info/?domain=${prefix}.localhost`)).body;

  const nothing = { since: null, offline_reason: null, ...noTimes };
  expect(await readState('soon')).toEqual({
    ...{ ...nothing, domain: 'soon.localhost', state: 'not_open_yet' },
    opens_at: later.toISOString(),
  });
  expect(await readState('over')).toEqual({
    ...{ ...nothing, domain: 'over.localhost', state: 'closed' },
    closes_at: past.toISOString(),
  });
  expect(await readState('sometimes')).toEqual({
    ...{ ...nothing, domain: 'sometimes.localhost', state: 'outside_hours' },
    hours: { days: [weekday], from: '10:00', to: '10:05' },
  });
  expect(await readState('never')).toEqual({ ...nothing, domain: 'never.localhost', state: 'closed' });
});

test('one network may read 120 states a minute, and another network has a limit of its own', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const readState = async (ip: string) =>
    (await app.browser().call('GET', '/api/router_info/?domain=nas.localhost', undefined, { 'x-forwarded-for': ip }))
      .status;

  const statuses = await Promise.all(Array.from({ length: 125 }, async () => await readState('203.0.113.7')));

  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await readState('203.0.113.8')).toBe(200);
});
