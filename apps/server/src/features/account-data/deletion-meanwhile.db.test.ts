import type { ShareLink } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/open-gate-app.ts';
import { openTestApp, type TestBrowser } from '../../testing/open-test-app.ts';
import { enrolDevice } from '../devices/index.ts';
import { handOverFirstAdmin } from '../installation/index.ts';
import { markClient } from '../sharing/index.ts';
import { registerUserRoutes, useTokenSign } from '../users/index.ts';
import { deleteDueAccounts } from './delete-account.ts';

const log = pino({ level: 'silent' });

type Gate = Awaited<ReturnType<typeof openGateApp>>;

async function insertAdmin(db: Db): Promise<void> {
  await db.insertInto('userAccount').values({ username: 'admin', isSuperuser: true }).execute();
}

/** Deletes the account, as seven days after it was asked for. */
async function deleteAccount(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(0) })
    .where('id', '=', userId)
    .execute();
  await deleteDueAccounts({ db, log, handOver: handOverFirstAdmin });
}

async function isThere(db: Db, userId: number): Promise<boolean> {
  return (await db.selectFrom('userAccount').where('id', '=', userId).select('id').execute()).length > 0;
}

async function records(db: Db) {
  return await db.selectFrom('verification').select(['userId', 'ownerId']).execute();
}

/** Both are under way, the second one after the first, which has got as far as what is held here; then they go on. */
async function bothWhile<First>(
  t: TestDb,
  hold: (tx: Db) => Promise<unknown>,
  first: () => Promise<First>,
  second: () => Promise<unknown>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<unknown>]> {
  class TakenBack extends Error {}
  let both: Promise<[PromiseSettledResult<First>, PromiseSettledResult<unknown>]> | undefined;
  const holding = t.db.transaction().execute(async (tx) => {
    await hold(tx);
    const begun = first();
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    both = Promise.allSettled([begun, second()]);
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    throw new TakenBack();
  });
  await expect(holding).rejects.toThrow(TakenBack);
  if (both === undefined) throw new Error('nothing was begun');
  return await both;
}

/** What a share link of the mapping takes this browser there with. */
async function ticketByLink(gate: Gate, visitor: TestBrowser): Promise<string> {
  const reply = await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/shares/`, { valid_hours: 1 });
  const { hash } = new URL((reply.body as ShareLink).url);
  const code = new URLSearchParams(hash.slice(hash.indexOf('?'))).get('share') ?? '';
  return ticketOf(await check(visitor, code));
}

const lockLinks = async (tx: Db) => await tx.selectFrom('shareLink').select('id').forUpdate().execute();

test('a visitor who comes in while the owner’s account is deleted: both come to an end, and nothing is left', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const ticket = await ticketByLink(gate, gate.app.browser());

  const [came] = await bothWhile(
    t,
    lockLinks,
    async () => await gate.redeem(ticket),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(came).toMatchObject({ status: 'fulfilled' });
  expect(await isThere(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
});

test('a visitor who is logged in and comes in while their own account is deleted: both come to an end', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const wangId = await insertUser(t.db, 'wang');
  const ticket = await ticketByLink(gate, await gate.app.browserOf(wangId));

  const [came] = await bothWhile(
    t,
    lockLinks,
    async () => await gate.redeem(ticket),
    async () => await deleteAccount(t.db, wangId),
  );

  expect(came).toMatchObject({ status: 'fulfilled' });
  expect(await isThere(t.db, wangId)).toBe(false);
  expect(await records(t.db)).toEqual([{ userId: wangId, ownerId: gate.userId }]);
});

test('a client that is marked while the owner’s account is deleted: both come to an end', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/mark_client/`);

  const [marked] = await bothWhile(
    t,
    async (tx) => await tx.selectFrom('clientWindow').select('mappingId').forUpdate().execute(),
    async () => await markClient(t.db, { mappingId: gate.mappingId, ip: '203.0.113.9', userAgent: '' }),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(marked).toMatchObject({ status: 'fulfilled' });
  expect(await isThere(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
});

test('a device that is bound by a token while the account is deleted: both come to an end', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const sealingKey = Buffer.alloc(32);
  await using app = await openTestApp(t.db, (on) => {
    registerUserRoutes(on, { db: t.db, sealingKey, publicUrl: 'http://localhost', billing: 'off' });
  });
  const reply = await (await app.browserOf(gate.userId)).call('GET', '/api/user/token-sign/');
  const { token_id: id, sign } = reply.body as { token_id: string; sign: string };
  const publicKey = Buffer.alloc(32, 7);
  const device = { userId: gate.userId, serverId: gate.serverId, publicKey };

  const [bound] = await bothWhile(
    t,
    async (tx) =>
      await tx
        .insertInto('device')
        .values({ ...device, uid: '0123456789ab', name: 'x' })
        .execute(),
    async () =>
      await enrolDevice(
        { db: t.db, claimToken: useTokenSign },
        {
          ...{ token: `tb_${id}.${sign}`, name: 'NAS', serverId: gate.serverId },
          publicKey: publicKey.toString('base64url'),
        },
      ),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(bound).toMatchObject({ status: 'fulfilled' });
  expect(await isThere(t.db, gate.userId)).toBe(false);
  expect(await t.db.selectFrom('device').select('id').execute()).toEqual([]);
});

test.each([
  ['mapping', (gate: Gate) => `/api/user/records/${gate.mappingId}/`],
  ['device', (gate: Gate) => `/api/user/routers/${gate.deviceId}/`],
])('a %s that is deleted while its owner’s account is: both come to an end', async (_what, urlOf) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  await gate.redeem(ticketOf(await check(gate.owner)));
  await t.db.insertInto('releasedPrefix').values({ serverId: gate.serverId, prefix: 'nas', userId: null }).execute();

  const [removed] = await bothWhile(
    t,
    async (tx) => await tx.selectFrom('releasedPrefix').select('prefix').forUpdate().execute(),
    async () => await gate.owner.call('DELETE', urlOf(gate)),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(removed).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
  expect(await isThere(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
  expect(await t.db.selectFrom('goneMapping').select('id').execute()).toEqual([]);
});

test('who asks to be let in while their own account is deleted is told that they are not logged in', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'open sesame 1' });
  const wangId = await insertUser(t.db, 'wang');
  const wang = await gate.app.browserOf(wangId);
  await check(wang);
  const body = { url: 'http://nas.localhost:8080/', password: 'open sesame 1' };

  const { asked } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('userAccount').where('id', '=', wangId).select('id').forUpdate().execute();
    const attempt = wang.call('POST', '/custom/check/', body);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    await tx.deleteFrom('userAccount').where('id', '=', wangId).execute();
    return { asked: attempt };
  });

  expect(await asked).toMatchObject({ status: 200, body: { allowed: false } });
});
