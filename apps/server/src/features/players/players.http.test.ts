import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { insertDevice, insertHome, insertMapping, insertPresence, insertRelay } from '../../testing/device-fixtures.ts';
import { registerPlayerRoutes } from './index.ts';

const path = '/api/site/players/get_ip_list/';

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerPlayerRoutes(app, { db }));
}

type Visit = { ownerId: number; deviceId: number; mappingId: number; visitorIp: string; visitorNetwork: string } & {
  kind?: 'ip';
  cookieExpiresAt?: null;
};

async function insertVisit(db: Db, visit: Visit): Promise<void> {
  const expiresAt = new Date(Date.now() + 60_000);
  const rest = { host: 'nas.localhost', userAgent: '', who: '妈妈', expiresAt, cookieExpiresAt: expiresAt };
  await db
    .insertInto('verification')
    .values({ ...rest, ...visit })
    .execute();
}

/** An account with a device at 203.0.113.7 and one in 2001:db8:1:2::/64, and a visitor at each. */
async function insertPlaces(db: Db) {
  const { userId, serverId, deviceId } = await insertHome(db);
  await insertRelay(db, { id: 'r1', serverId });
  const cabin = await insertDevice(db, { userId, serverId, name: '小屋' });
  await insertPresence(db, { deviceId });
  await insertPresence(db, { deviceId: cabin, offlineReason: 'agent_stopped' });
  const atCabin = db.updateTable('devicePresence').where('deviceId', '=', cabin);
  await atCabin.set({ publicIp: '2001:db8:1:2::10' }).execute();
  const mappingId = await insertMapping(db, { deviceId, serverId, prefix: 'nas' });
  const visit = { ownerId: userId, deviceId, mappingId };
  await insertVisit(db, { ...visit, visitorIp: '203.0.113.7', visitorNetwork: '203.0.113.7' });
  await insertVisit(db, { ...visit, visitorIp: '203.0.113.7', visitorNetwork: '203.0.113.7' });
  await insertVisit(db, { ...visit, visitorIp: '2001:db8:1:2::99', visitorNetwork: '2001:db8:1:2::' });
  const verified = { ...visit, visitorNetwork: '', kind: 'ip', cookieExpiresAt: null } as const;
  await insertVisit(db, { ...verified, visitorIp: '2001:db8:1:2:3::5' });
  await insertVisit(db, { ...visit, visitorIp: '198.51.100.1', visitorNetwork: '198.51.100.1' });
  return { userId, deviceId, cabin, serverId };
}

test('each network of an own device has its devices and visitors; IPv6 counts by its /64', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { userId, deviceId, cabin } = await insertPlaces(t.db);
  const owner = await app.browserOf(userId);
  const ipv4 = {
    network: '203.0.113.7',
    devices: [expect.objectContaining({ id: deviceId, public_ip: '203.0.113.7', online: true })],
    visitors: [{ address: '203.0.113.7', who: '妈妈', host: 'nas.localhost', last_at: expect.any(String) }],
  };
  const ipv6 = {
    network: '2001:db8:1:2::/64',
    devices: [{ id: cabin, name: '小屋', public_ip: '2001:db8:1:2::10', online: false }],
    visitors: expect.arrayContaining([
      expect.objectContaining({ address: '2001:db8:1:2::99' }),
      expect.objectContaining({ address: '2001:db8:1:2:3::5' }),
    ]),
  };

  const all = await owner.call('GET', path);
  expect(all.body).toHaveLength(2);
  expect(all.body).toEqual(expect.arrayContaining([ipv4, ipv6]));
  expect((await owner.call('GET', `${path}?pub_address=203.0.113.7`)).body).toEqual([ipv4]);
  expect((await owner.call('GET', `${path}?pub_address=::ffff:203.0.113.7`)).body).toEqual([ipv4]);
  expect((await owner.call('GET', `${path}?pub_address=2001:DB8:1:2:0::77`)).body).toEqual([ipv6]);
});

test('there is no answer for an address without a device of the caller, even where there are others', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { userId } = await insertPlaces(t.db);
  const other = await t.db
    .insertInto('userAccount')
    .values({ username: 'other' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const refused = { status: 404, body: { code: 'public-address.no-device' } };

  const owner = await app.browserOf(userId);
  expect(await owner.call('GET', `${path}?pub_address=198.51.100.1`)).toMatchObject(refused);
  expect(await owner.call('GET', `${path}?pub_address=2001:db8:1:3::10`)).toMatchObject(refused);
  const otherUser = await app.browserOf(other.id);
  expect(await otherUser.call('GET', `${path}?pub_address=203.0.113.7`)).toMatchObject(refused);
  expect((await otherUser.call('GET', path)).body).toEqual([]);
  expect((await app.browser().call('GET', path)).status).toBe(401);
});

test('two accounts behind one address see their own devices alone', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const { serverId } = await insertPlaces(t.db);
  const { id } = await t.db
    .insertInto('userAccount')
    .values({ username: 'other' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const deviceId = await insertDevice(t.db, { userId: id, serverId, name: '邻居' });
  await insertPresence(t.db, { deviceId });

  const reply = await (await app.browserOf(id)).call('GET', `${path}?pub_address=203.0.113.7`);
  expect(reply.body).toMatchObject([{ devices: [{ id: deviceId }], visitors: [] }]);
});

test('pub_address is one address and nothing else', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const owner = await app.browserOf((await insertHome(t.db)).userId);
  const ipv4 = ['', '1', '203.0.113', '203.0.113.07', '0x7f.0.0.1', '203.0.113.0/24', '203.0.113.7:80'];
  for (const text of [...ipv4, 'fe80::1%25eth0', '::g']) {
    expect((await owner.call('GET', `${path}?pub_address=${text}`)).status, text).toBe(422);
  }
});
