import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openGateApp } from '../../testing/apps/open-gate-app.ts';
import { lockTicketForUpdate, insertSessions, insertTicket } from '../../testing/ticket-fixtures.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteEndedMembers } from './index.ts';

test('removing a member while they log out everywhere does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { mappingId } = gate;
  const userId = await insertUser(t.db, 'wang');
  const add = t.db.insertInto('mappingMember').values({ mappingId, contact: 'wang@example.com' });
  const { id: memberId } = await add.returning('id').executeTakeFirstOrThrow();
  const [first = 0, second = 0] = await insertSessions(t.db, userId, 2);
  await insertTicket(t.db, { hash: 2, mappingId, userId, memberId, sessionId: second });
  await insertTicket(t.db, { hash: 1, mappingId, userId, memberId, sessionId: first });

  const [removed, ended] = await runBothWhileLocked(
    t,
    lockTicketForUpdate(2),
    async () => await gate.owner.call('DELETE', `/api/user/members/${memberId}/`),
    async () => await t.db.transaction().execute(async (tx) => await endAllSessions(tx, userId)),
  );

  expect(removed).toMatchObject({ value: { status: 200 } });
  expect(ended).toMatchObject({ status: 'fulfilled' });
  expect(await t.db.selectFrom('gateTicket').select('mappingId').execute()).toEqual([]);
});

test('removing a member whose time is over while the clean-up deletes it does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { mappingId } = gate;
  const userId = await insertUser(t.db, 'wang');
  const expired = { mappingId, contact: '@wang', userId, expiresAt: new Date(0) };
  const add = t.db.insertInto('mappingMember').values(expired);
  const { id: memberId } = await add.returning('id').executeTakeFirstOrThrow();
  const [sessionId = 0] = await insertSessions(t.db, userId, 1);
  await insertTicket(t.db, { hash: 2, mappingId, userId, memberId, sessionId });
  await insertTicket(t.db, { hash: 1, mappingId, userId, memberId, sessionId });

  const [deleted, removed] = await runBothWhileLocked(
    t,
    lockTicketForUpdate(2),
    async () => await deleteEndedMembers(t.db),
    async () => await gate.owner.call('DELETE', `/api/user/members/${memberId}/`),
  );

  expect(deleted).toMatchObject({ status: 'fulfilled' });
  expect(removed).toMatchObject({ value: { status: 404, body: { code: 'member.not-found' } } });
  expect(await t.db.selectFrom('mappingMember').select('id').execute()).toEqual([]);
});
