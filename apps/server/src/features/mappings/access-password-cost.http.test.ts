import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const locked = { policy: 'password', password: 'open sesame' };

async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const hashed: number[] = [];
  const hashPassword = async (userId: number) => (hashed.push(userId), 'a hash');
  const app = stack.use(
    await openTestApp(t.db, (on) => registerMappingRoutes(on, { ...mappingDeps, db: t.db, hashPassword })),
  );
  const home = await insertHome(t.db);
  const resources = stack.move();
  return {
    ...{ ...home, t, app, hashed },
    browser: await app.browserOf(home.userId),
    [Symbol.asyncDispose]: async () => await resources.disposeAsync(),
  };
}

function body(router: number, changes: object = {}) {
  return { router, kind: 'http', prefix: 'nas', target: 'http://192.168.1.10:5000', ...locked, ...changes };
}

test('no password is hashed for another user’s device or mapping, or for an invalid target', async () => {
  await using home = await openHome();
  const { t, browser, deviceId, serverId } = home;
  const otherUserId = await insertUser(t.db, 'wang');
  const theirs = await insertDevice(t.db, { userId: otherUserId, serverId });
  const mappingId = await insertMapping(t.db, { deviceId: theirs, serverId, prefix: 'theirs' });

  for (const router of [999_999, theirs])
    expect(await browser.call('POST', records, body(router))).toMatchObject({ body: { code: 'device.not-found' } });
  for (const id of [999_999, mappingId])
    expect(await browser.call('PATCH', `${records}${id}/`, locked)).toMatchObject({
      body: { code: 'mapping.not-found' },
    });
  const outside = body(deviceId, { target: 'http://8.8.8.8' });
  expect(await browser.call('POST', records, outside)).toMatchObject({ body: { code: 'mapping.target-not-private' } });

  expect(home.hashed).toEqual([]);
});

test('the password of the caller’s own mapping is hashed once, and counted for the account', async () => {
  await using home = await openHome();
  const { browser, userId, deviceId } = home;

  const made = await browser.call('POST', records, body(deviceId));
  const changed = await browser.call('PATCH', `${records}${(made.body as { id: number }).id}/`, locked);

  expect([made.status, changed.status]).toEqual([201, 200]);
  expect(home.hashed).toEqual([userId, userId]);
});

test.each(['POST', 'PATCH'] as const)(
  'one account’s %s is refused after three hundred a minute, from any address',
  async (method) => {
    await using home = await openHome();
    const { browser, t, app } = home;
    const wang = await app.browserOf(await insertUser(t.db, 'wang'));
    const path = method === 'POST' ? records : `${records}999999/`;
    const write = async (ip: string, by = browser) =>
      (await by.call(method, path, body(999_999), { 'x-forwarded-for': ip })).status;

    const statuses: number[] = [];
    for (let n = 0; n < 15; n++)
      statuses.push(...(await Promise.all(Array.from({ length: 21 }, async () => await write('203.0.113.7')))));

    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    expect(statuses.slice(0, 294)).not.toContain(429);
    expect(await write('203.0.113.8')).toBe(429);
    expect(await write('203.0.113.7', wang)).not.toBe(429);
  },
);
