import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertHome, insertMapping, insertRelay, usageOf } from '../../testing/device-fixtures.ts';
import { storeUsage } from '../usage/index.ts';
import { registerStatisticsRoutes } from './statistics-routes.ts';

async function openHome() {
  const t = await openTestDb();
  const home = await insertHome(t.db);
  await insertRelay(t.db, home);
  const ids = [
    await insertMapping(t.db, { ...home, prefix: 'a' }),
    await insertMapping(t.db, { ...home, prefix: 'b' }),
  ] as const;
  const networks: [string, number][] = [['113.92.1.1', 3]];
  const latency = Array.from({ length: 31 }, (_, bucket) => (bucket === 4 ? 3 : 0));
  const entries = [
    usageOf(ids[0], { requests: 3, bytesIn: 10, bytesOut: 20, networks, latency }),
    usageOf(ids[1], { requests: 1, bytesIn: 1, bytesOut: 2, clientErrors: 1, ok: 0, networks: [['113.92.1.1', 1]] }),
  ];
  const report = { relayId: 'r1', bootId: 'boot', sequence: 1, entries };
  await storeUsage({ db: t.db, sourceKey: Buffer.alloc(32) }, report);
  const app = await openTestApp(t.db, (server) => registerStatisticsRoutes(server, { db: t.db }));
  const parts = new AsyncDisposableStack();
  parts.use(t);
  parts.use(app);
  return { t, app, home, ids, [Symbol.asyncDispose]: async () => await parts.disposeAsync() };
}

test.each(['hour', 'day', 'month'])('an account, its device and its mapping have their usage by %s', async (unit) => {
  await using h = await openHome();
  const browser = await h.app.browserOf(h.home.userId);
  const path = `/api/user/statistics/?unit=${unit}&points=2`;

  const { body: account } = await browser.call('GET', path);
  const { body: device } = await browser.call('GET', `${path}&router=${h.home.deviceId}`);
  const { body: mapping } = await browser.call('GET', `${path}&mapping=${h.ids[1]}`);

  const total = { requests: 4, bytes_in: 11, bytes_out: 22, ok: 2 - 1, client_errors: 1, networks: 1, is_exact: true };
  expect(account).toMatchObject({ total: { ...total, p50_ms: 3.5 }, previous: { requests: 0, p50_ms: null } });
  expect(account).toMatchObject({ points: [{ requests: 0 }, { requests: 4 }] });
  expect(account).toMatchObject({ top_places: [{ place: '广东省深圳市', requests: 4 }], top_visitors: [] });
  expect(account).toMatchObject({ uptime: [{ router: h.home.deviceId, name: 'NAS', share: null }] });
  const top = { router: h.home.deviceId, bytes: 30, requests: 3 };
  expect(account).toMatchObject({
    top_mappings: [
      { ...top, mapping: h.ids[0] },
      { mapping: h.ids[1], bytes: 3 },
    ],
  });
  expect(device).toMatchObject({ total });
  expect(mapping).toMatchObject({ total: { requests: 1, bytes_in: 1, bytes_out: 2 }, top_mappings: [] });
});

test('the last minutes and the file have the same numbers', async () => {
  await using h = await openHome();
  const browser = await h.app.browserOf(h.home.userId);

  const { body: live } = await browser.call('GET', '/api/user/statistics/live/');
  const { points } = live as { points: { requests: number }[] };
  expect(points).toHaveLength(150);
  expect(points.reduce((sum, point) => sum + point.requests, 0)).toBe(4);
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
  const { body: earlier } = await browser.call('GET', `/api/user/statistics/?unit=day&points=1&until=${dayAgo}`);
  expect(earlier).toMatchObject({ total: { requests: 0 }, top_mappings: [], top_places: [] });
  const later = '/api/user/statistics/?unit=day&points=1&until=2999-01-01T00:00:00Z';
  expect(await browser.call('GET', later)).toMatchObject({ body: { total: { requests: 4 } } });
  const { text } = await browser.call('GET', '/api/user/statistics/export/?unit=day&points=1');
  expect(text).toMatch(/\r\n\d{4}-\d\d-\d\d 00:00,11,22,4,1,1,0,0,0,1,是,3\.5,3\.9\r\n$/);
});

test('devices and mappings of others are not found, and nobody is asked without a login', async () => {
  await using h = await openHome();
  const other = await insertHome(h.t.db, 'other');
  const browser = await h.app.browserOf(other.userId);

  expect(await browser.call('GET', `/api/user/statistics/?router=${h.home.deviceId}`)).toMatchObject({ status: 404 });
  expect(await browser.call('GET', `/api/user/statistics/live/?mapping=${h.ids[0]}`)).toMatchObject({ status: 404 });
  expect(await browser.call('GET', '/api/user/statistics/?points=100000')).toMatchObject({ status: 422 });
  expect(await browser.call('GET', '/api/user/statistics/')).toMatchObject({ body: { total: { requests: 0 } } });
});
