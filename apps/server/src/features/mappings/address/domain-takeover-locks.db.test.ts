import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { lockTicketForUpdate, insertSessions, insertTicket } from '../../../testing/ticket-fixtures.ts';
import { deleteDueAccounts } from '../../account-data/index.ts';
import { handOverFirstAdmin } from '../../installation/index.ts';
import { endAllSessions } from '../../sessions/index.ts';
import { registerMappingRoutes } from '../mapping-routes.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';

const domain = 'nas.example.com';

/** Inserts `li`, who has the domain with a verification and is due for deletion, and two administrators, one of whom can take the domain. */
async function openTakeover(t: TestDb) {
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

  const txtRecords: string[] = [];
  const resolveTxt = async (): Promise<string[]> => txtRecords;
  const app = await openTestApp(db, (on) => registerMappingRoutes(on, { ...mappingDeps, db, resolveTxt }));
  const browser = await app.browserOf(takerId);
  const wanted = { router: deviceId, kind: 'https', target: 'https://192.168.1.10', custom_domain: domain };
  const take = async () => await browser.call('POST', '/api/user/records/', wanted);
  const refused = (await take()).body as { errors: { custom_domain: string[] } };
  txtRecords.push(refused.errors.custom_domain.at(-1)?.split(' TXT ')[1] ?? '');
  return {
    ...{ ...li, mappingId, adminId, take },
    deleteLi: async (): Promise<void> => {
      const due = db.updateTable('userAccount').set({ deletionAt: new Date(0) });
      await due.where('id', '=', li.userId).execute();
      await deleteDueAccounts({ db, log: pino({ level: 'silent' }), handOver: handOverFirstAdmin });
    },
    devicesWithDomain: async (): Promise<{ deviceId: number }[]> =>
      await db.selectFrom('mapping').where('customDomain', '=', domain).select('deviceId').execute(),
    takerDeviceId: deviceId,
    exists: async (): Promise<boolean> =>
      (await db.selectFrom('userAccount').where('id', '=', li.userId).select('id').execute()).length > 0,
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

type Takeover = Awaited<ReturnType<typeof openTakeover>>;

test.each([
  [
    'its administrators',
    async (tx: Db, { adminId }: Takeover) =>
      await tx.selectFrom('userAccount').where('id', '=', adminId).select('id').forUpdate().execute(),
  ],
  [
    'its devices',
    async (tx: Db, { deviceId }: Takeover) =>
      await tx.selectFrom('device').where('id', '=', deviceId).select('id').forUpdate().execute(),
  ],
])(
  'taking over a domain does not deadlock with the deletion of its owner’s account, which waits for %s',
  async (_what, lock) => {
    await using t = await openTestDb();
    await using takeover = await openTakeover(t);

    const [deleted, taken] = await runBothWhileLocked(
      t,
      async (tx) => await lock(tx, takeover),
      takeover.deleteLi,
      takeover.take,
    );

    expect(deleted).toMatchObject({ status: 'fulfilled' });
    expect(taken).toMatchObject({ value: { status: 201 } });
    expect(await takeover.exists()).toBe(false);
    expect(await takeover.devicesWithDomain()).toEqual([{ deviceId: takeover.takerDeviceId }]);
  },
);

test('taking over a domain does not deadlock with the logout of a visitor who has tickets for it', async () => {
  await using t = await openTestDb();
  await using takeover = await openTakeover(t);
  const { mappingId } = takeover;
  const userId = await insertUser(t.db, 'wang');
  const [first = 0, second = 0] = await insertSessions(t.db, userId, 2);
  await insertTicket(t.db, { hash: 2, mappingId, userId, sessionId: second });
  await insertTicket(t.db, { hash: 1, mappingId, userId, sessionId: first });

  const [taken, ended] = await runBothWhileLocked(
    t,
    lockTicketForUpdate(2),
    takeover.take,
    async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, userId)),
  );

  expect(taken).toMatchObject({ value: { status: 201 } });
  expect(ended).toMatchObject({ status: 'fulfilled' });
});
