import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertOpenOrder } from '../../testing/billing-fixtures.ts';
import {
  insertAppMember,
  insertAppOffer,
  insertAppSession,
  insertAppWake,
  insertCloudApp,
} from '../../testing/cloud-app-fixtures.ts';
import { insertDevice, insertMapping, insertServer } from '../../testing/device-fixtures.ts';
import { insertAccount, logInFirstStep, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { findFirstAdminId, handOverFirstAdmin } from '../installation/index.ts';
import { deleteDueAccounts } from './delete-account.ts';

const deletion = '/api/user/deletion/';

async function makeDeletionDue(db: Db): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(Date.now() - 1000) })
    .where('deletionAt', 'is not', null)
    .execute();
}

async function names(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('userAccount').select('username').orderBy('id').execute();
  return rows.map((row) => row.username);
}

const log = pino({ level: 'silent' });
const run = async (db: Db) => await deleteDueAccounts({ db, log, handOver: handOverFirstAdmin });

test('an account is deleted seven days after the request, and not earlier', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  await insertOpenOrder(t.db, id);

  const reply = await browser.call('POST', deletion);
  const again = await browser.call('POST', deletion);

  const { deletion_at: at } = reply.body as { deletion_at: string };
  const days = (Date.parse(at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  expect(again.body).toMatchObject({ deletion_at: at });
  await run(t.db);
  expect(await names(t.db)).toEqual(['admin', 'li']);
  await makeDeletionDue(t.db);
  await run(t.db);
  expect(await names(t.db)).toEqual(['admin']);
  expect(await t.db.selectFrom('productOrder').select('status').execute()).toEqual([{ status: 'closed' }]);
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
});

test('an account that cannot be deleted does not block others', async () => {
  await using t = await openTestDb();
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const stuck = await insertAccount(t.db, { username: 'stuck' });
  const next = await insertAccount(t.db, { username: 'next' });
  for (const [index, id] of [stuck, next].entries()) {
    const deletionAt = new Date(Date.now() - 60_000 + index);
    await t.db.updateTable('userAccount').set({ deletionAt }).where('id', '=', id).execute();
  }
  const handOver = async (_tx: Db, { fromUserId }: { fromUserId: number }) => {
    if (fromUserId === stuck) throw new Error('the hand-over fails');
  };

  await deleteDueAccounts({ db: t.db, log, handOver });

  expect(await names(t.db)).toEqual(['admin', 'stuck']);
});

test('until then the owner can log in and cancel the deletion', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const id = await insertAccount(t.db);
  await (await app.browserOf(id)).call('POST', deletion);
  const browser = app.browser();

  expect(await logInFirstStep(browser)).toEqual({ id, second_factor: null });
  expect((await browser.call('GET', '/api/user/security/')).body).toMatchObject({ deletion_at: expect.any(String) });
  expect((await browser.call('DELETE', deletion)).body).toMatchObject({ deletion_at: null });
  await makeDeletionDue(t.db);
  await run(t.db);
  expect(await names(t.db)).toEqual(['admin', 'li']);
});

test('deleting an account disconnects its devices and deletes all its rows, except reserved prefixes', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const id = await insertAccount(t.db);
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId: id, serverId });
  await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  const appId = await insertCloudApp(t.db, { deviceId });
  await insertAppMember(t.db, { appId, userId: id });
  await insertAppSession(t.db, { appId, ownerId: id, userId: id, word: 'li' });
  await insertAppWake(t.db, { appId, userId: id, word: 'li' });
  const browser = await app.browserOf(id);
  await turnOnTotp(browser);
  await browser.call('POST', '/api/user/api_tokens/', { name: 'x', scopes: ['devices:read'], valid_days: null });
  await logInFirstStep(app.browser());
  await browser.call('POST', deletion);
  await makeDeletionDue(t.db);
  const received: string[] = [];
  await using _devices = await t.listen(
    'device_changed',
    (payload) => received.push(payload),
    () => undefined,
  );
  const sessionsEnded = Promise.withResolvers<void>();
  await using _sessions = await t.listen(
    'session_ended',
    () => sessionsEnded.resolve(),
    () => undefined,
  );

  await run(t.db);

  await sessionsEnded.promise;
  expect(received.map((payload) => JSON.parse(payload))).toMatchObject([{ deviceId }]);
  const { rows } = await t.pool.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'device_id', 'mapping_id')`);
  const others = ['account_token', 'released_prefix'];
  const tables = [...new Set(rows.map(({ name }) => name))].filter((name) => !others.includes(name));
  expect(tables).toContain('recovery_code');
  for (const table of tables) {
    expect([table, (await t.pool.query(`select 1 from ${table}`)).rowCount]).toEqual([table, 0]);
  }
  expect(await t.db.selectFrom('accountToken').select('userId').execute()).toHaveLength(1); // the administrator's
  const kept = await t.db.selectFrom('releasedPrefix').select(['prefix', 'userId']).execute();
  expect(kept).toEqual([{ prefix: 'nas', userId: null }]);
});

test('an offer of an app to the account stays with its owner, who does not see that the account existed', async () => {
  await using t = await openTestDb();
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const [owner, id] = [await insertAccount(t.db), await insertAccount(t.db, { username: 'wang' })];
  const deviceId = await insertDevice(t.db, { userId: owner, serverId: await insertServer(t.db) });
  const appId = await insertCloudApp(t.db, { deviceId });
  await insertAppOffer(t.db, { appId, userId: id, account: 'wang' });
  await t.db.updateTable('userAccount').set({ deletionAt: new Date() }).where('id', '=', id).execute();

  await makeDeletionDue(t.db);
  await run(t.db);

  expect(await names(t.db)).toEqual(['admin', 'li']);
  const offers = await t.db.selectFrom('cloudAppMember').select(['account', 'userId', 'acceptedAt']).execute();
  expect(offers).toEqual([{ account: 'wang', userId: null, acceptedAt: null }]);
});

test('the last superuser cannot be deleted, also when the last two request it at once', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const one = await app.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));
  const refused = { status: 409, body: { code: 'user.last-admin' } };

  expect(await one.call('POST', deletion)).toMatchObject(refused);
  const other = await app.browserOf(await insertAccount(t.db, { username: 'root', isSuperuser: true }));
  const replies = await Promise.all([one.call('POST', deletion), other.call('POST', deletion)]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('when the first superuser is deleted, another one takes its place', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const first = await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const other = await insertAccount(t.db, { username: 'root', isSuperuser: true });
  await t.db
    .insertInto('setting')
    .values({ name: 'first_start', value: JSON.stringify({ adminId: first }) })
    .execute();
  await (await app.browserOf(first)).call('POST', deletion);
  await makeDeletionDue(t.db);

  await run(t.db);

  expect(await findFirstAdminId(t.db)).toBe(other);
});

test('requesting deletion needs a confirmed session, and cancelling it does not', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const browser = await app.browserOf(await insertAccount(t.db));
  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();

  expect(await browser.call('POST', deletion)).toMatchObject({
    status: 403,
    body: { code: 'session.confirm-required' },
  });
  expect((await browser.call('DELETE', deletion)).status).toBe(200);
});
