import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertMapping } from '../../testing/device-fixtures.ts';
import { insertAccount, logInFirstStep, testPassword } from '../../testing/apps/open-account-app.ts';
import { openLoginProofs } from '../../testing/apps/open-login-proofs.ts';
import { deleteDueAccounts } from '../account-data/index.ts';
import { handOverFirstAdmin } from '../installation/index.ts';
import { resetPassword } from '../users/index.ts';
import { deleteExpiredSessions } from './session-end-store.ts';

const list = '/api/user/sessions/';
const invalid = expect.objectContaining({ code: 'gate.ticket-invalid' });

test('ending a session in the list revokes its verifications, and relays are notified', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const [home, lost] = [await li.browserOf(), await li.browserOf()];
  const kept = [await li.enter(home), await li.allow(home, '203.0.113.1')];
  await li.enter(lost);
  await li.allow(lost, '203.0.113.2');
  const lostId = await li.sessionId(lost);
  const notified = Promise.withResolvers<string>();
  await t.listen('device_changed', notified.resolve, () => undefined);

  expect((await home.call('DELETE', `${list}${lostId}/`)).status).toBe(200);

  expect(await li.validProofs()).toEqual(kept);
  expect(JSON.parse(await notified.promise)).toMatchObject({ deviceId: li.deviceId });
});

test('an extended verification still ends with its session', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const [home, lost] = [await li.browserOf(), await li.browserOf()];
  const opened = await li.enter(lost);
  const lostId = await li.sessionId(lost);
  const extended = await home.call('PATCH', `/api/user/verifications/${opened}/`, { extend_hours: 168 });
  expect(extended.status).toBe(200);

  await home.call('DELETE', `${list}${lostId}/`);

  expect(await li.validProofs()).toEqual([]);
});

test.each([
  ['all other sessions are ended', 'DELETE', list, undefined],
  [
    'the password is changed',
    'POST',
    '/custom/password/',
    { old_password: testPassword, new_password: 'another correct horse' },
  ],
] as const)('when %s, only this session’s verifications stay', async (_when, method, url, body) => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const [home, lost, forgotten] = [await li.browserOf(), await li.browserOf(), await li.browserOf()];
  const kept = [await li.enter(home), await li.allow(home, '203.0.113.1')];
  await li.enter(lost);
  await li.allow(lost, '203.0.113.2');
  // An attacker may have logged out after verifying an address.
  await li.allow(forgotten, '203.0.113.3');
  await forgotten.call('GET', '/custom/logout');

  expect((await home.call(method, url, body)).status).toBe(200);

  expect(await li.validProofs()).toEqual(kept);
});

test('a password reset revokes the verifications of every session', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const browser = await li.browserOf();
  await li.enter(browser);
  await li.allow(browser, '203.0.113.1');

  await resetPassword(t.db, li.userId, 'another correct horse');

  expect(await li.validProofs()).toEqual([]);
});

test('a logout revokes verifications of the browser, but not verified addresses', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const [library, home] = [await li.browserOf(), await li.browserOf()];
  const kept = [await li.enter(home), await li.allow(library, '203.0.113.1')];
  await li.enter(library);

  await library.call('GET', '/custom/logout');

  expect(await li.validProofs()).toEqual(kept);
});

test('verifications move to the new session when the same account logs in again in its browser', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const browser = await li.browserOf();
  const opened = [await li.enter(browser), await li.allow(browser, '203.0.113.1')];

  await logInFirstStep(browser);

  expect(await li.validProofs()).toEqual(opened);
  await browser.call('DELETE', `${list}${await li.sessionId(browser)}/`);
  expect(await li.validProofs()).toEqual([]);
});

test('another account’s login in the same browser logs the earlier account out', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  await insertAccount(t.db, { username: 'wang' });
  const browser = await li.browserOf();
  await li.enter(browser);
  const kept = await li.allow(browser, '203.0.113.1');

  await logInFirstStep(browser, 'wang');

  expect(await li.validProofs()).toEqual([kept]);
});

test('a session that ends because there are too many revokes its verifications', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  await li.enter(await li.browserOf());
  const newer = { userId: li.userId, ip: '127.0.0.1', userAgent: '', lastSeenAt: new Date(Date.now() + 60_000) };
  const expiresAt = new Date(Date.now() + 3_600_000);
  const rows = Array.from({ length: 99 }, (_, n) => ({ ...newer, expiresAt, idHash: Buffer.alloc(32, n) }));
  await t.db.insertInto('session').values(rows).execute();
  await t.db
    .updateTable('session')
    .set({ lastSeenAt: new Date(0) })
    .where('userAgent', '!=', '')
    .execute();

  const kept = await li.enter(await li.browserOf());

  expect(await li.validProofs()).toEqual([kept]);
});

test('a member’s logout revokes verifications of another owner’s mapping, and that owner’s consoles are notified', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const memberId = await insertAccount(t.db, { username: 'wang', email: 'wang@example.com' });
  await t.db.insertInto('mappingMember').values({ mappingId: li.mappingId, contact: 'wang@example.com' }).execute();
  const member = await li.app.browserOf(memberId);
  await li.enter(member);
  const kept = await li.enter(await li.browserOf());
  const events: string[] = [];
  await t.listen(
    'live',
    (text) => events.push(text),
    () => undefined,
  );

  await member.call('GET', '/custom/logout');

  expect(await li.validProofs()).toEqual([kept]);
  await expect
    .poll(() => events.map((event) => JSON.parse(event)))
    .toContainEqual({ userId: li.userId, topic: 'verifications' });
});

test('deleting an account revokes its verifications of other owners’ mappings', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const memberId = await insertAccount(t.db, { username: 'wang', email: 'wang@example.com' });
  await t.db.insertInto('mappingMember').values({ mappingId: li.mappingId, contact: 'wang@example.com' }).execute();
  await li.enter(await li.app.browserOf(memberId));
  await t.db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(0) })
    .where('id', '=', memberId)
    .execute();

  await deleteDueAccounts({ db: t.db, log: pino({ level: 'silent' }), handOver: handOverFirstAdmin });

  expect(await t.db.selectFrom('userAccount').select('id').where('id', '=', memberId).execute()).toEqual([]);
  expect(await li.validProofs()).toEqual([]);
});

test('verifications on other grounds than a login stay when all sessions end', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const otherId = await insertDevice(t.db, { userId: li.userId, serverId: 1 });
  const mappingId = await insertMapping(t.db, { deviceId: otherId, serverId: 1, prefix: 'tv' });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const proof = {
    userId: li.userId,
    ...{ ownerId: li.userId, deviceId: otherId, mappingId },
    host: 'tv.localhost',
    visitorIp: '203.0.113.4',
    userAgent: '',
    expiresAt,
  };
  await t.db
    .insertInto('verification')
    .values([
      { ...proof, grantedBy: 'password', cookieExpiresAt: expiresAt },
      { ...proof, grantedBy: 'share', cookieExpiresAt: expiresAt },
      { ...proof, grantedBy: 'mark_client', kind: 'ip' },
    ])
    .execute();
  const kept = await li.validProofs();
  await li.enter(await li.browserOf());

  await resetPassword(t.db, li.userId, 'another correct horse');

  expect(await li.validProofs()).toEqual(kept);
});

test('an address that two sessions verified is revoked with the later session', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const [first, second, home] = [await li.browserOf(), await li.browserOf(), await li.browserOf()];
  const address = await li.allow(first, '203.0.113.1');
  expect(await li.allow(second, '203.0.113.1')).toBe(address);
  const [firstId, secondId] = [await li.sessionId(first), await li.sessionId(second)];

  await home.call('DELETE', `${list}${firstId}/`);
  expect(await li.validProofs()).toEqual([address]);
  await home.call('DELETE', `${list}${secondId}/`);
  expect(await li.validProofs()).toEqual([]);
});

test('an expired session revokes no verifications', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const opened = await li.enter(await li.browserOf());
  await t.db
    .updateTable('session')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();

  await deleteExpiredSessions(t.db);

  expect(await li.validProofs()).toEqual([opened]);
  expect(await t.db.selectFrom('session').select('id').execute()).toEqual([]);
});

test('a ticket is invalid after its session has ended', async () => {
  await using t = await openTestDb();
  await using li = await openLoginProofs(t);
  const browser = await li.browserOf();
  const { body } = await browser.call('GET', '/custom/check/?url=http%3A%2F%2Fnas.localhost%3A8080%2F');
  const ticket = new URL((body as { redirect: string }).redirect).searchParams.get('ticket') ?? '';

  await browser.call('GET', '/custom/logout');

  await expect(li.redeem(ticket)).rejects.toThrow(invalid);
  expect(await li.validProofs()).toEqual([]);
});
