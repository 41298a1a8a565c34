import type { CheckReply } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import { countWaiting } from '../../../testing/count-waiting.ts';
import { insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../../testing/apps/open-gate-app.ts';
import { lockTicketForUpdate, insertSessions, insertTicket } from '../../../testing/ticket-fixtures.ts';
import { deleteOldTickets, redeemTicket } from '../../gate/index.ts';
import { deleteExpiredSessions, endAllSessions } from '../../sessions/index.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

const deletions = [
  ['mapping', (gate: Gate) => `/api/user/records/${gate.mappingId}/`],
  ['device', (gate: Gate) => `/api/user/routers/${gate.deviceId}/`],
] as const;

test.each(deletions)(
  'a redemption while the %s is deleted is recorded, and its proof is revoked',
  async (_what, urlOf) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const ticket = ticketOf(await check(gate.owner));

    // The redemption has locked the mapping and waits for the ticket.
    const { redeemed, removed } = await t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('gateTicket').select('ticketHash').forUpdate().execute();
      const attempts = { redeemed: gate.redeem(ticket), removed: Promise.resolve<unknown>(undefined) };
      await expect.poll(async () => await countWaiting(t)).toBe(1);
      attempts.removed = gate.owner.call('DELETE', urlOf(gate));
      await expect.poll(async () => await countWaiting(t)).toBe(2);
      return attempts;
    });

    const { verificationId: id } = await redeemed;
    expect(await removed).toMatchObject({ status: 200 });
    expect(await gate.records()).toMatchObject([{ id, mapping_deleted: true, revoked_at: expect.any(String) }]);
  },
);

test.each(deletions)(
  'verifying an address or extending a verification while the %s is deleted is refused',
  async (_, urlOf) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const { verificationId: id } = await gate.redeem(ticketOf(await check(gate.owner)));
    await t.db
      .updateTable('verification')
      .set({ expiresAt: new Date(0) })
      .execute();

    const { removed, allowed, extended } = await t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('mapping').select('id').forUpdate().execute();
      const attempts = {
        removed: gate.owner.call('DELETE', urlOf(gate)),
        allowed: Promise.resolve<unknown>(undefined),
        extended: Promise.resolve<unknown>(undefined),
      };
      await expect.poll(async () => await countWaiting(t)).toBe(1);
      attempts.allowed = gate.owner.call('POST', `/api/user/records/${gate.mappingId}/verified_ip/`);
      await expect.poll(async () => await countWaiting(t)).toBe(2);
      attempts.extended = gate.owner.call('PATCH', `/api/user/verifications/${id}/`, { extend_hours: 24 });
      await expect.poll(async () => await countWaiting(t)).toBe(3);
      return attempts;
    });

    expect(await removed).toMatchObject({ status: 200 });
    expect(await allowed).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
    expect(await extended).toMatchObject({ status: 409, body: { code: 'verification.address-deleted' } });
    expect(await gate.records()).toMatchObject([{ id, revoked_at: null }]);
  },
);

test('a redemption at a custom domain is refused while the deletion of its device waits for a prefix', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const host = 'nas.example.com';
  await insertMapping(t.db, { ...gate, customDomain: host });
  const url = encodeURIComponent(`http://${host}:8080/`);
  const { body } = await gate.owner.call('GET', `/custom/check/?url=${url}`);
  const redemption = { ticket: ticketOf(body as CheckReply), host, visitorIp: '203.0.113.9', userAgent: '' };
  await t.db.insertInto('releasedPrefix').values({ serverId: gate.serverId, prefix: 'nas', userId: null }).execute();

  const [removed, redeemed] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('releasedPrefix').select('prefix').forUpdate().execute(),
    async () => await gate.owner.call('DELETE', `/api/user/routers/${gate.deviceId}/`),
    async () => await redeemTicket(t.db, redemption),
  );

  expect(removed).toMatchObject({ value: { status: 200 } });
  expect(redeemed).toMatchObject({ status: 'rejected', reason: { code: 'gate.ticket-invalid' } });
  expect(await gate.records()).toEqual([]);
});

test.each(deletions.flatMap(([what, urlOf]) => [1, 2].map((lockedHash) => [what, lockedHash, urlOf] as const)))(
  'the deletion of a %s does not deadlock with the logout of a visitor, while ticket %i is locked',
  async (_what, lockedHash, urlOf) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const userId = await insertUser(t.db, 'wang');
    const [first = 0, second = 0] = await insertSessions(t.db, userId, 2);
    await insertTicket(t.db, { hash: lockedHash, mappingId: gate.mappingId, userId, sessionId: second });
    await insertTicket(t.db, { hash: 3 - lockedHash, mappingId: gate.mappingId, userId, sessionId: first });

    const [removed, ended] = await runBothWhileLocked(
      t,
      lockTicketForUpdate(lockedHash),
      async () => await gate.owner.call('DELETE', urlOf(gate)),
      async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, userId)),
    );

    expect(removed).toMatchObject({ value: { status: 200 } });
    expect(ended).toMatchObject({ status: 'fulfilled' });
    expect(await t.db.selectFrom('gateTicket').select('mappingId').execute()).toEqual([]);
  },
);

test.each([1, 2])(
  'the deletion of a device does not deadlock with the clean-up of sessions, while ticket %i is locked',
  async (lockedHash) => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const userId = await insertUser(t.db, 'wang');
    const [first = 0, second = 0] = await insertSessions(t.db, userId, 2, new Date(0));
    await insertTicket(t.db, { hash: lockedHash, mappingId: gate.mappingId, userId, sessionId: second });
    await insertTicket(t.db, { hash: 3 - lockedHash, mappingId: gate.mappingId, userId, sessionId: first });

    const [removed, ended] = await runBothWhileLocked(
      t,
      lockTicketForUpdate(lockedHash),
      async () => await gate.owner.call('DELETE', `/api/user/routers/${gate.deviceId}/`),
      async () => await deleteExpiredSessions(t.db),
    );

    expect(removed).toMatchObject({ value: { status: 200 } });
    expect(ended).toMatchObject({ status: 'fulfilled' });
    expect(await t.db.selectFrom('session').where('userId', '=', userId).select('id').execute()).toEqual([]);
  },
);

test.each(deletions)('old tickets are deleted without waiting for the deletion of their %s', async (_what, urlOf) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const userId = await insertUser(t.db, 'wang');
  const [sessionId = 0] = await insertSessions(t.db, userId, 1);
  const ticket = { mappingId: gate.mappingId, userId, sessionId, expiresAt: new Date(0) };
  for (const hash of [1, 2]) await insertTicket(t.db, { ...ticket, hash });

  const { removed } = await t.db.transaction().execute(async (tx) => {
    await lockTicketForUpdate(2)(tx);
    const attempt = gate.owner.call('DELETE', urlOf(gate));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    await deleteOldTickets(t.db);
    return { removed: attempt };
  });

  expect(await removed).toMatchObject({ status: 200 });
  expect(await t.db.selectFrom('gateTicket').select('mappingId').execute()).toEqual([]);
});

test('a check while the mapping is deleted answers no_such_mapping', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);

  const { checked } = await t.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('mapping').execute();
    const attempt = check(gate.owner);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    return { checked: attempt };
  });

  expect(await checked).toMatchObject({ logged_in: true, allowed: false, reason: 'no_such_mapping' });
});

test('a check by a member who is being removed answers not_allowed', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const wangId = await insertUser(t.db, 'wang');
  await t.db.updateTable('userAccount').set({ email: 'wang@example.com' }).where('id', '=', wangId).execute();
  const member = { contact: 'wang@example.com' };
  await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/members/`, member);
  const wang = await gate.app.browserOf(wangId);

  const { checked } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('mapping').select('id').forUpdate().execute();
    await tx.deleteFrom('mappingMember').execute();
    const attempt = check(wang);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    return { checked: attempt };
  });

  expect(await checked).toMatchObject({ logged_in: true, allowed: false, reason: 'not_allowed' });
});
