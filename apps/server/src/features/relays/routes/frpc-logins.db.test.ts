import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome } from '../../../testing/device-fixtures.ts';
import { claimFrpcLogin, deleteOldLoginSeconds, markSpeaksV2 } from '../../frpc-devices/index.ts';

async function openHouse() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const { userId, serverId } = await insertHome(t.db);
  const add = async (uid: string, frpcLogin: string | null = null) => {
    const frpcTokenSealed = Buffer.alloc(1);
    const device = { userId, serverId, uid, name: uid, frpcTokenSealed, frpcLogin };
    return (await t.db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow()).id;
  };
  const claim = async (deviceId: number, timestamp: number, wire: 'v1' | 'v2' = 'v1'): Promise<string> =>
    await claimFrpcLogin(t.db, { deviceId, timestamp, wire }).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  const opened = stack.move();
  return { t, add, claim, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test('of equal logins at once, from any relay, one is accepted', async () => {
  await using house = await openHouse();
  const deviceId = await house.add('a'.repeat(12));
  for (const timestamp of [100, 101]) {
    const results = await Promise.all(Array.from({ length: 8 }, () => house.claim(deviceId, timestamp)));
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result === 'frpc.login-repeated')).toHaveLength(7);
  }
});

test('a login is accepted with a later time than the last one, by either wire', async () => {
  await using house = await openHouse();
  const [deviceId, other] = [await house.add('a'.repeat(12)), await house.add('b'.repeat(12))];
  expect(await house.claim(deviceId, 100)).toBe('accepted');
  for (const wire of ['v1', 'v2'] as const)
    for (const timestamp of [100, 99, 0, -1])
      expect(await house.claim(deviceId, timestamp, wire)).toBe('frpc.login-repeated');
  expect(await house.claim(other, 100)).toBe('accepted');
  expect(await house.claim(deviceId, 101, 'v2')).toBe('accepted');
  expect(await house.claim(deviceId + 100, 5)).toBe('frpc.login-repeated');
});

test('a device that has proven wire v2 does not fall back to v1, until it has another secret', async () => {
  await using house = await openHouse();
  const deviceId = await house.add('a'.repeat(12));
  expect(await house.claim(deviceId, 100)).toBe('accepted');
  await markSpeaksV2(house.t.db, deviceId);
  await markSpeaksV2(house.t.db, deviceId);
  await markSpeaksV2(house.t.db, deviceId + 100);
  expect(await house.claim(deviceId, 101)).toBe('frpc.wire-v1');
  expect(await house.claim(deviceId, 101, 'v2')).toBe('accepted');
});

test('devices of one account may start in the same second, and a login recorded of one is of no use for another later', async () => {
  await using house = await openHouse();
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => house.add(name.repeat(12), `tt-0123456789.${name}`)));
  const [a = 0, b = 0, c = 0] = ids;
  expect(await Promise.all([house.claim(a, 100), house.claim(b, 100)])).toEqual(['accepted', 'accepted']);
  await house.t.db
    .updateTable('frpcLoginSecond')
    .set({ firstAt: new Date(Date.now() - 60_000) })
    .execute();
  expect(await house.claim(c, 100)).toBe('frpc.login-repeated');
  expect(await house.claim(c, 101)).toBe('accepted');
});

test('a login whose time is still to come is not accepted, and is of no use then, for any device of the account', async () => {
  await using house = await openHouse();
  const [a, b] = [await house.add('a'.repeat(12)), await house.add('b'.repeat(12), 'tt-0123456789.b')];
  const ahead = Math.floor(Date.now() / 1_000) + 86_400;
  for (let i = 0; i < 2; i++)
    await claimFrpcLogin(house.t.db, { deviceId: a, timestamp: ahead, wire: 'v1', isAhead: true });
  // The clock is right again: the device is not kept out.
  expect(await house.claim(a, ahead - 86_400)).toBe('accepted');
  await house.t.db
    .updateTable('frpcLoginSecond')
    .set({ firstAt: new Date(Date.now() - 30 * 3_600_000) })
    .execute();
  await deleteOldLoginSeconds(house.t.db);
  for (const deviceId of [a, b]) expect(await house.claim(deviceId, ahead)).toBe('frpc.login-repeated');
  expect(await house.claim(a, ahead + 1)).toBe('accepted');
});

test('an account has 4 000 logins ahead, and more are not noted', async () => {
  await using house = await openHouse();
  const deviceId = await house.add('a'.repeat(12));
  const ahead = Math.floor(Date.now() / 1_000) + 1_000;
  const { userId } = await house.t.db.selectFrom('device').select('userId').executeTakeFirstOrThrow();
  const rows = Array.from({ length: 4_000 }, (_, n) => ({ userId, loginSeconds: ahead + n }));
  await house.t.db.insertInto('frpcLoginSecond').values(rows).execute();
  const useUp = async (timestamp: number) =>
    await claimFrpcLogin(house.t.db, { deviceId, timestamp, wire: 'v2', isAhead: true });
  await useUp(ahead);
  for (const timestamp of [ahead - 1, ahead + 4_000, Number.MAX_SAFE_INTEGER])
    await expect(useUp(timestamp)).rejects.toMatchObject({ code: 'frpc.clock-ahead' });
  await house.t.db.deleteFrom('frpcLoginSecond').execute();
  await useUp(Number.MAX_SAFE_INTEGER);
  expect(await house.t.db.selectFrom('frpcLoginSecond').selectAll().execute()).toEqual([]);
});

test('the seconds of a day ago are deleted', async () => {
  await using house = await openHouse();
  const deviceId = await house.add('a'.repeat(12), 'tt-0123456789');
  await house.claim(deviceId, 100);
  await house.claim(deviceId, 101);
  const old = new Date(Date.now() - 25 * 3_600_000);
  await house.t.db.updateTable('frpcLoginSecond').set({ firstAt: old }).where('loginSeconds', '=', 100).execute();
  await deleteOldLoginSeconds(house.t.db);
  const kept = await house.t.db.selectFrom('frpcLoginSecond').select('loginSeconds').execute();
  expect(kept).toEqual([{ loginSeconds: 101 }]);
});
