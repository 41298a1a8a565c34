import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { noChecks } from '../../testing/no-checks.ts';

const deps = { publicUrl: 'http://localhost:8080', tlsPort: 8443, version: '0.1.0', defaultBandwidthBps: null };

test('an API token with the devices scope alone cannot change an allow-list, not even empty it', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  await using app = await openTestApp(t.db, (on) =>
    registerDeviceRoutes(on, {
      ...deps,
      db: t.db,
      monotonicMs: () => performance.now(),
      ...noChecks,
    }),
  );
  const writer = await openProgram({ db: t.db, app }, userId, ['devices:write']);
  const keeper = await openProgram({ db: t.db, app }, userId, ['devices:write', 'access:write']);
  const browser = await app.browserOf(userId);
  const path = `/api/user/routers/${deviceId}/`;
  const listed = { allow_list: ['203.0.113.7'] };

  expect(await writer.call('PATCH', path, { name: '书房', ...listed })).toMatchObject({
    status: 403,
    body: { code: 'session.scope', errors: { allow_list: ['API 令牌还需要 access:write 权限'] } },
  });
  expect(await browser.call('PATCH', path, {})).toMatchObject({ body: { name: 'NAS', allow_list: [] } });
  expect(await keeper.call('PATCH', path, listed)).toMatchObject({ status: 200, body: listed });
  expect(await writer.call('PATCH', path, { allow_list: [] })).toMatchObject({ status: 403 });
  expect(await browser.call('PATCH', path, {})).toMatchObject({ status: 200, body: listed });
  expect(await writer.call('PATCH', path, { name: '书房' })).toMatchObject({ status: 200, body: { name: '书房' } });
  expect(await browser.call('PATCH', path, { allow_list: [] })).toMatchObject({
    status: 200,
    body: { allow_list: [] },
  });
});

test('an API token that only reads cannot have a device send requests to its services', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const record = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using app = await openTestApp(t.db, (on) =>
    registerDeviceRoutes(on, { ...deps, db: t.db, monotonicMs: () => performance.now(), ...noChecks }),
  );
  const path = `/api/user/routers/${home.deviceId}/check_domain_connection/`;
  const reader = await openProgram({ db: t.db, app }, home.userId, ['devices:read', 'records:read']);
  expect(await reader.call('POST', path, { record })).toMatchObject({ status: 403, body: { code: 'session.scope' } });
  const writer = await openProgram({ db: t.db, app }, home.userId, ['devices:write']);
  expect(await writer.call('POST', path, { record })).toMatchObject({ status: 200, body: { step: 'agent' } });
});
