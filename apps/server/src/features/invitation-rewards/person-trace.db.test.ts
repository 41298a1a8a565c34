import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertServer, insertUser } from '../../testing/device-fixtures.ts';
import { storeBilling } from '../plans/index.ts';
import { deleteOldNetworks, isSamePerson } from './person-trace-store.ts';
import {
  insertInvitee,
  insertOnlineDevice,
  insertPayment,
  listAll,
  passHours,
  runJob,
} from './testing/invitation-fixtures.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';

async function insertSession(db: Db, userId: number, ip: string): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('session')
    .values({ idHash: randomBytes(32), userId, expiresAt, ip, userAgent: '' })
    .execute();
}

async function endSessions(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute();
}

async function openPair() {
  const t = await openTestDb();
  await storeBilling(t.db, 'on');
  const inviterId = await insertUser(t.db, 'li');
  const inviteeId = await insertInvitee(t.db, inviterId);
  const isSame = async () =>
    await t.db.transaction().execute(async (tx) => await isSamePerson(tx, { inviterId, inviteeId }));
  return { ...t, inviterId, inviteeId, isSame, [Symbol.asyncDispose]: async () => await t[Symbol.asyncDispose]() };
}

test('two accounts that share nothing are two persons', async () => {
  await using pair = await openPair();
  await insertSession(pair.db, pair.inviterId, '203.0.113.1');
  await insertSession(pair.db, pair.inviteeId, '203.0.113.2');
  await insertOnlineDevice(pair.db, pair.inviterId);
  expect(await pair.isSame()).toBe(false);
});

test('a phone number that one account gave up and the other took', async () => {
  await using pair = await openPair();
  const set = async (id: number, phoneNumber: string | null) => {
    const phone = { phoneNumber, phoneBoundAt: phoneNumber === null ? null : new Date() };
    await pair.db.updateTable('userAccount').set(phone).where('id', '=', id).execute();
  };
  await set(pair.inviterId, '+8613900000000');
  await set(pair.inviterId, null);
  expect(await pair.isSame()).toBe(false);
  await set(pair.inviteeId, '+8613900000000');
  expect(await pair.isSame()).toBe(true);
});

test.each([
  ['open id', { appId: 'a', openId: 'o1', unionId: null }, { appId: 'a', openId: 'o1', unionId: 'u2' }],
  ['union id', { appId: 'a', openId: 'o1', unionId: 'u' }, { appId: 'b', openId: 'o2', unionId: 'u' }],
])('a WeChat account with the same %s that moved from one account to the other', async (_, before, after) => {
  await using pair = await openPair();
  await pair.db
    .insertInto('wechatAccount')
    .values({ ...before, userId: pair.inviterId, nickname: '' })
    .execute();
  await pair.db.deleteFrom('wechatAccount').execute();
  await pair.db
    .insertInto('wechatAccount')
    .values({ ...after, userId: pair.inviteeId, nickname: '' })
    .execute();
  expect(await pair.isSame()).toBe(true);
});

test('a device that was deleted in one account and enrolled in the other', async () => {
  await using pair = await openPair();
  const serverId = await insertServer(pair.db);
  const id = await insertDevice(pair.db, { userId: pair.inviterId, serverId });
  const { publicKey } = await pair.db
    .deleteFrom('device')
    .where('id', '=', id)
    .returning('publicKey')
    .executeTakeFirstOrThrow();
  const values = { uid: '0123456789ab', userId: pair.inviteeId, serverId, name: 'NAS', publicKey };
  await pair.db.insertInto('device').values(values).execute();
  expect(await pair.isSame()).toBe(true);
});

test('logins from one network within a day, also after logging out', async () => {
  await using pair = await openPair();
  await insertSession(pair.db, pair.inviterId, '2001:db8:1:2::1');
  await endSessions(pair.db, pair.inviterId);
  await insertSession(pair.db, pair.inviteeId, '2001:db8:1:2:ffff::9');
  expect(await pair.isSame()).toBe(true);
});

test('logins from one network more than a day apart', async () => {
  await using pair = await openPair();
  await insertSession(pair.db, pair.inviterId, '203.0.113.1');
  await sql`update person_trace set first_at = first_at - interval '3 days', last_at = last_at - interval '2 days'`.execute(
    pair.db,
  );
  await insertSession(pair.db, pair.inviteeId, '203.0.113.1');
  expect(await pair.isSame()).toBe(false);
});

test('the invited one used the network of the inviter’s device on its first day', async () => {
  await using pair = await openPair();
  await insertOnlineDevice(pair.db, pair.inviterId);
  await insertSession(pair.db, pair.inviteeId, '::ffff:203.0.113.7');
  expect(await pair.isSame()).toBe(true);
});

test('a network that the invited one used only later', async () => {
  await using pair = await openPair();
  await insertOnlineDevice(pair.db, pair.inviterId);
  await sql`update user_account set created_at = created_at - interval '2 days'`.execute(pair.db);
  await insertSession(pair.db, pair.inviteeId, '203.0.113.7');
  expect(await pair.isSame()).toBe(false);
});

test.each(['127.0.0.1', '192.168.1.5', '::1', 'fd00::1', '', 'unknown'])('the address %j says nothing', async (ip) => {
  await using pair = await openPair();
  await insertSession(pair.db, pair.inviterId, ip);
  await insertSession(pair.db, pair.inviteeId, ip);
  expect(await pair.isSame()).toBe(false);
});

test('without billing no networks are kept, and with it not for long', async () => {
  await using pair = await openPair();
  const networks = async () =>
    await pair.db.selectFrom('personTrace').select('userId').where('kind', '=', 'network').execute();
  await storeBilling(pair.db, 'off');
  await insertSession(pair.db, pair.inviterId, '203.0.113.1');
  expect(await networks()).toEqual([]);

  await storeBilling(pair.db, 'on');
  await insertSession(pair.db, pair.inviterId, '203.0.113.1');
  await insertSession(pair.db, pair.inviteeId, '203.0.113.2');
  await sql`
    update person_trace set last_at = now() - interval '41 days', first_at = now() - interval '41 days'
    where user_id = ${pair.inviterId}`.execute(pair.db);
  await deleteOldNetworks(pair.db);
  expect(await networks()).toEqual([{ userId: pair.inviteeId }]);
});

test('rewards for oneself are void, also when that shows only while the reward waits', async () => {
  await using pair = await openPair();
  await insertSession(pair.db, pair.inviteeId, '203.0.113.1');
  await insertOnlineDevice(pair.db, pair.inviteeId);
  await runJob(pair.db);
  expect(await listAll(pair.db)).toMatchObject([{ status: 'pending' }]);

  await insertSession(pair.db, pair.inviterId, '203.0.113.1');
  await passHours(pair.db, 25);
  await runJob(pair.db);
  await pair.db.deleteFrom('personTrace').execute();
  await insertPayment(pair.db, pair.inviteeId, await insertProduct(pair.db));
  await runJob(pair.db);

  const isVoid = { status: 'void', voidReason: 'same-person' };
  expect(await listAll(pair.db)).toMatchObject([
    { event: 'joined', ...isVoid },
    { event: 'paid', ...isVoid },
  ]);
});
