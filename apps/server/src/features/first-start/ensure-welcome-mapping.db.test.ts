import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome } from '../../testing/device-fixtures.ts';
import { ensureWelcomeMapping } from './ensure-welcome-mapping.ts';

const url = 'http://welcome.localhost:8080';

/** Inserts this machine's device. `start` makes the call of a start. */
async function openMachine(db: Db) {
  const home = await insertHome(db);
  const start = async (targetPort: number, deviceId = home.deviceId): Promise<string | undefined> => {
    const device = await db.selectFrom('device').where('id', '=', deviceId).select('uid').executeTakeFirstOrThrow();
    return await ensureWelcomeMapping(
      { db, publicUrl: 'http://localhost:8080', tlsPort: 8443 },
      { deviceUid: device.uid, targetPort },
    );
  };
  return { ...home, start };
}

async function listMappings(db: Db) {
  return await db
    .selectFrom('mapping')
    .select(['deviceId', 'kind', 'prefix', 'targetHost', 'targetPort', 'policy', 'remark'])
    .execute();
}

test('the first start creates one public mapping to the welcome page', async () => {
  await using t = await openTestDb();
  const { deviceId, start } = await openMachine(t.db);

  expect(await start(7080)).toBe(url);
  expect(await start(7080)).toBe(url);

  expect(await listMappings(t.db)).toEqual([
    {
      deviceId,
      kind: 'http',
      prefix: 'welcome',
      targetHost: '127.0.0.1',
      targetPort: 7080,
      policy: 'public',
      remark: '示例页面',
    },
  ]);
});

test('ten concurrent starts create one mapping', async () => {
  await using t = await openTestDb();
  const { start } = await openMachine(t.db);

  const urls = await Promise.all(Array.from({ length: 10 }, () => start(7080)));

  expect(new Set(urls)).toEqual(new Set([url]));
  expect(await listMappings(t.db)).toHaveLength(1);
});

test('a mapping that the owner deleted stays deleted', async () => {
  await using t = await openTestDb();
  const { start } = await openMachine(t.db);
  await start(7080);
  await t.db.deleteFrom('mapping').execute();

  expect(await start(7080)).toBeUndefined();
  expect(await listMappings(t.db)).toEqual([]);
});

test('the mapping follows the page to another port each time, and relays are notified', async () => {
  await using t = await openTestDb();
  const { deviceId, start } = await openMachine(t.db);
  await start(7080);
  await start(7081);
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  await start(7082);

  expect(await listMappings(t.db)).toMatchObject([{ targetPort: 7082 }]);
  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId });
});

test('a target that the owner has changed stays', async () => {
  await using t = await openTestDb();
  const { start } = await openMachine(t.db);
  await start(7080);
  await t.db.updateTable('mapping').set({ targetPort: 9000, prefix: 'hello' }).execute();

  expect(await start(7081)).toBe('http://hello.localhost:8080');
  expect(await listMappings(t.db)).toMatchObject([{ targetPort: 9000 }]);
});

test('when this machine is enrolled again, the mapping moves to its new device', async () => {
  await using t = await openTestDb();
  const { start, ...home } = await openMachine(t.db);
  await start(7080);
  const again = await insertDevice(t.db, home);

  expect(await start(7080, again)).toBe(url);
  expect(await listMappings(t.db)).toMatchObject([{ deviceId: again, targetPort: 7080 }]);
});
