import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp } from '../../testing/open-test-app.ts';
import { lockTicketForUpdate, insertSessions, insertTicket } from '../../testing/ticket-fixtures.ts';
import { deleteDueAccounts } from '../account-data/index.ts';
import { handOverFirstAdmin } from '../installation/index.ts';
import { endAllSessions } from '../sessions/index.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from './testing/mapping-deps.ts';

const domain = 'nas.example.com';

/** `li`, who is due to be deleted and has the domain, which has let somebody in; two administrators, the first of whom may take it. */
async function openTaking(t: TestDb) {
  const { db } = t;
  const li = await insertHome(db, 'li');
  const mappingId = await insertMapping(db, { ...li, kind: 'https', customDomain: domain });
  const soon = new Date(Date.now() + 3_600_000);
  const place = { ownerId: li.userId, deviceId: li.deviceId, mappingId, host: domain };
  const visit = { ...place, visitorIp: '203.0.113.9', userAgent: '', expiresAt: soon, cookieExpiresAt: soon };
  await db.insertInto('verification').values(visit).execute();
  const admins = [await insertUser(db, 'taker'), await insertUser(db, 'admin')] as const;
  await db.updateTable('userAccount').set({ isSuperuser: true }).where('id', 'in', admins).execute();
  const [takerId, adminId] = admins;
  const deviceId = await insertDevice(db, { userId: takerId, serverId: li.serverId });

  const found: string[] = [];
  const resolveTxt = async (): Promise<string[]> => found;
  const app = await openTestApp(db, (on) => registerMappingRoutes(on, { ...mappingDeps, db, resolveTxt }));
  const browser = await app.browserOf(takerId);
  const wanted = { router: deviceId, kind: 'https', target: 'https://192.168.1.10', custom_domain: domain };
  const take = async () => await browser.call('POST', '/api/user/records/', wanted);
  const refused = (await take()).body as { errors: { custom_domain: string[] } };
  found.push(refused.errors.custom_domain.at(-1)?.split(' TXT ')[1] ?? '');
  return {
    ...{ ...li, mappingId, adminId, take },
    leave: async (): Promise<void> => {
      const due = db.updateTable('userAccount').set({ deletionAt: new Date(0) });
      await due.where('id', '=', li.userId).execute();
      await deleteDueAccounts({ db, log: pino({ level: 'silent' }), handOver: handOverFirstAdmin });
    },
    devicesWithIt: async (): Promise<{ deviceId: number }[]> =>
      await db.selectFrom('mapping').where('customDomain', '=', domain).select('deviceId').execute(),
    takerDeviceId: deviceId,
    isThere: async (): Promise<boolean> =>
      (await db.selectFrom('userAccount').where('id', '=', li.userId).select('id').execute()).length > 0,
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

type Taking = Awaited<ReturnType<typeof openTaking>>;

test.each([
  [
    'its administrators',
    async (tx: Db, { adminId }: Taking) =>
      await tx.selectFrom('userAccount').where('id', '=', adminId).select('id').forUpdate().execute(),
  ],
  [
    'its devices',
    async (tx: Db, { deviceId }: Taking) =>
      await tx.selectFrom('device').where('id', '=', deviceId).select('id').forUpdate().execute(),
  ],
])(
  'an administrator takes a domain while its owner’s account is deleted, which waits for %s: both come to an end',
  async (_what, hold) => {
    await using t = await openTestDb();
    await using taking = await openTaking(t);

    const [left, took] = await runBothWhileLocked(t, async (tx) => await hold(tx, taking), taking.leave, taking.take);

    expect(left).toMatchObject({ status: 'fulfilled' });
    expect(took).toMatchObject({ value: { status: 201 } });
    expect(await taking.isThere()).toBe(false);
    expect(await taking.devicesWithIt()).toEqual([{ deviceId: taking.takerDeviceId }]);
  },
);

test('a domain is taken while a visitor with tickets for it logs out everywhere: both come to an end', async () => {
  await using t = await openTestDb();
  await using taking = await openTaking(t);
  const { mappingId } = taking;
  const userId = await insertUser(t.db, 'wang');
  const [first = 0, second = 0] = await insertSessions(t.db, userId, 2);
  await insertTicket(t.db, { hash: 2, mappingId, userId, sessionId: second });
  await insertTicket(t.db, { hash: 1, mappingId, userId, sessionId: first });

  const [took, ended] = await runBothWhileLocked(
    t,
    lockTicketForUpdate(2),
    taking.take,
    async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, userId)),
  );

  expect(took).toMatchObject({ value: { status: 201 } });
  expect(ended).toMatchObject({ status: 'fulfilled' });
});
