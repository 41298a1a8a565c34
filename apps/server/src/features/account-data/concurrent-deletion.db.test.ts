import type { ShareLink } from '@tongtu/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { lockTicketForUpdate, insertSessions, insertTicket } from '../../testing/ticket-fixtures.ts';
import { enrolDevice } from '../devices/index.ts';
import { handOverFirstAdmin } from '../installation/index.ts';
import { endAllSessions } from '../sessions/index.ts';
import { markClient } from '../sharing/index.ts';
import { registerUserRoutes, useTokenSign } from '../users/index.ts';
import { deleteDueAccounts } from './delete-account.ts';

const log = pino({ level: 'silent' });

type Gate = Awaited<ReturnType<typeof openGateApp>>;

async function insertAdmin(db: Db): Promise<void> {
  await db.insertInto('userAccount').values({ username: 'admin', isSuperuser: true }).execute();
}

/** Makes the account's deletion due and runs it. */
async function deleteAccount(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(0) })
    .where('id', '=', userId)
    .execute();
  await deleteDueAccounts({ db, log, handOver: handOverFirstAdmin });
}

async function accountExists(db: Db, userId: number): Promise<boolean> {
  return (await db.selectFrom('userAccount').where('id', '=', userId).select('id').execute()).length > 0;
}

async function records(db: Db) {
  return await db.selectFrom('verification').select(['userId', 'ownerId']).execute();
}

/** The ticket that this browser gets by a share link of the mapping. */
async function ticketByLink(gate: Gate, visitor: TestBrowser): Promise<string> {
  const reply = await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/shares/`, { valid_hours: 1 });
  const code = new URL((reply.body as ShareLink).url).pathname.slice('/s/'.length);
  return ticketOf(await check(visitor, code));
}

const lockLinksForUpdate = async (tx: Db) => await tx.selectFrom('shareLink').select('id').forUpdate().execute();

test('a visitor who comes in while the owner’s account is deleted does not deadlock, and leaves no record', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const ticket = await ticketByLink(gate, gate.app.browser());

  const [came] = await runBothWhileLocked(
    t,
    lockLinksForUpdate,
    async () => await gate.redeem(ticket),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(came).toMatchObject({ status: 'fulfilled' });
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
});

test('a visitor who comes in while their own account is deleted does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const wangId = await insertUser(t.db, 'wang');
  const ticket = await ticketByLink(gate, await gate.app.browserOf(wangId));

  const [came] = await runBothWhileLocked(
    t,
    lockLinksForUpdate,
    async () => await gate.redeem(ticket),
    async () => await deleteAccount(t.db, wangId),
  );

  expect(came).toMatchObject({ status: 'fulfilled' });
  expect(await accountExists(t.db, wangId)).toBe(false);
  expect(await records(t.db)).toEqual([{ userId: wangId, ownerId: gate.userId }]);
});

test('a client that is marked while the owner’s account is deleted does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/mark_client/`);

  const [marked] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('clientWindow').select('mappingId').forUpdate().execute(),
    async () => await markClient(t.db, { mappingId: gate.mappingId, ip: '203.0.113.9', userAgent: '' }),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(marked).toMatchObject({ status: 'fulfilled' });
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
});

test('a device that is bound by a token while the account is deleted does not deadlock', async () => {
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

  const claimToken = async (tx: Db, token: string) => {
    const userId = await useTokenSign(tx, token);
    return userId === undefined ? undefined : { userId };
  };

  const [bound] = await runBothWhileLocked(
    t,
    async (tx) =>
      await tx
        .insertInto('device')
        .values({ ...device, uid: '0123456789ab', name: 'x' })
        .execute(),
    async () =>
      await enrolDevice(
        { db: t.db, claimToken },
        {
          ...{ token: `tb_${id}.${sign}`, name: 'NAS', serverId: gate.serverId },
          publicKey: publicKey.toString('base64url'),
        },
      ),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(bound).toMatchObject({ status: 'fulfilled' });
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await t.db.selectFrom('device').select('id').execute()).toEqual([]);
});

test.each([
  ['mapping', (gate: Gate) => `/api/user/records/${gate.mappingId}/`],
  ['device', (gate: Gate) => `/api/user/routers/${gate.deviceId}/`],
])('a %s that is deleted while its owner’s account is deleted does not deadlock', async (_what, urlOf) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  await gate.redeem(ticketOf(await check(gate.owner)));
  await t.db.insertInto('releasedPrefix').values({ serverId: gate.serverId, prefix: 'nas', userId: null }).execute();

  const [removed] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('releasedPrefix').select('prefix').forUpdate().execute(),
    async () => await gate.owner.call('DELETE', urlOf(gate)),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(removed).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
  expect(await t.db.selectFrom('deletedMapping').select('id').execute()).toEqual([]);
});

test('a visitor whose own account is deleted during the check is refused', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'open sesame 1' });
  const wangId = await insertUser(t.db, 'wang');
  const wang = await gate.app.browserOf(wangId);
  await check(wang);
  const body = { url: 'http://nas.localhost:8080/', password: 'open sesame 1' };

  const { attempt } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('userAccount').where('id', '=', wangId).select('id').forUpdate().execute();
    const call = wang.call('POST', '/custom/check/', body);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    await tx.deleteFrom('userAccount').where('id', '=', wangId).execute();
    return { attempt: call };
  });

  expect(await attempt).toMatchObject({ status: 200, body: { allowed: false } });
});

/** Inserts verifications of the owner's mapping, by these sessions and until these times. */
async function insertRecords(gate: Gate, db: Db, visits: { userId: number; sessionId: number; expiresAt: Date }[]) {
  const { userId: ownerId, deviceId, mappingId } = gate;
  const place = { ownerId, deviceId, mappingId, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: '' };
  const values = visits.map((visit) => ({ ...place, ...visit, cookieExpiresAt: visit.expiresAt }));
  const rows = await db.insertInto('verification').values(values).returning('id').execute();
  return rows.map(({ id }) => id);
}

const soon = new Date(Date.now() + 3_600_000);

test('a visitor whose session is ended while the owner’s account is deleted does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const wangId = await insertUser(t.db, 'wang');
  const [sessionId = 0] = await insertSessions(t.db, wangId, 1);
  const visit = { userId: wangId, sessionId, expiresAt: soon };
  const [first = 0] = await insertRecords(gate, t.db, [visit, visit]);
  // The update moves this row behind the other one; a sequential scan of a small table reads rows in this order.
  await t.db.updateTable('verification').set({ who: 'wang' }).where('id', '=', first).execute();
  await sql`analyze verification`.execute(t.db);

  const [ended] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('verification').where('id', '=', first).select('id').forUpdate().execute(),
    async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, wangId)),
    async () => await deleteAccount(t.db, gate.userId),
  );

  expect(ended).toMatchObject({ status: 'fulfilled' });
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await records(t.db)).toEqual([]);
});

test.each([
  [1, 2],
  [2, 1],
])(
  'ending the sessions of a visitor with tickets %i and %i during the deletion does not deadlock',
  async (held, other) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    await insertAdmin(t.db);
    const userId = await insertUser(t.db, 'wang');
    const [first = 0, second = 0] = await insertSessions(t.db, userId, 2);
    await insertTicket(t.db, { hash: held, mappingId: gate.mappingId, userId, sessionId: second });
    await insertTicket(t.db, { hash: other, mappingId: gate.mappingId, userId, sessionId: first });

    const [, ended] = await runBothWhileLocked(
      t,
      lockTicketForUpdate(held),
      async () => await deleteAccount(t.db, gate.userId),
      async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, userId)),
    );

    expect(ended).toMatchObject({ status: 'fulfilled' });
    expect(await accountExists(t.db, gate.userId)).toBe(false);
    expect(await t.db.selectFrom('gateTicket').select('mappingId').execute()).toEqual([]);
  },
);

/** When the existing verifications end. */
async function listEndTimes(db: Db): Promise<Date[]> {
  const rows = await db.selectFrom('verification').select('expiresAt').orderBy('id').execute();
  return rows.map(({ expiresAt }) => expiresAt);
}

test('ended verifications are deleted before superusers are locked', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertAdmin(t.db);
  const visit = { userId: gate.userId, sessionId: 0 };
  await insertRecords(gate, t.db, [
    { ...visit, expiresAt: new Date(0) },
    { ...visit, expiresAt: soon },
  ]);

  const { deleted } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('userAccount').where('isSuperuser', '=', true).select('id').forUpdate().execute();
    const attempt = deleteAccount(t.db, gate.userId);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    expect(await listEndTimes(t.db)).toEqual([soon]);
    return { deleted: attempt };
  });

  await deleted;
  expect(await accountExists(t.db, gate.userId)).toBe(false);
  expect(await listEndTimes(t.db)).toEqual([]);
});

test('an account that stays because there is no other superuser keeps its verifications', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertRecords(gate, t.db, [{ userId: gate.userId, sessionId: 0, expiresAt: new Date(0) }]);

  await deleteAccount(t.db, gate.userId);

  expect(await accountExists(t.db, gate.userId)).toBe(true);
  expect(await listEndTimes(t.db)).toEqual([new Date(0)]);
});
