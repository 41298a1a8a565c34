import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { hashSecret } from '../../hash-secret.ts';
import { insertAccount, testKeys, testPassword } from '../../testing/apps/open-account-app.ts';
import { openGateApp } from '../../testing/apps/open-gate-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertInvitation } from './invitation-store.ts';
import { inviteMember } from './invite.ts';
import { acceptInvitation, choosePassword, joinByInvitation } from './use-invitation.ts';

const password = 'a lion in the garden';
const unknown = { status: 'rejected', reason: { code: 'invitation.not-found' } };

/** Transactions that change the account wait. */
const lockAccount = (userId: number) => async (tx: Db) =>
  await tx.selectFrom('userAccount').where('id', '=', userId).select('id').forUpdate().execute();

const lockMember = (id: number) => async (tx: Db) =>
  await tx.selectFrom('mappingMember').where('id', '=', id).select('id').forUpdate().execute();

async function insertPasswordLink(db: Db, userId: number, token: string): Promise<string> {
  await insertInvitation(db, { tokenHash: hashSecret(token), purpose: 'password', userId, invitedBy: null }, 1);
  return token;
}

async function insertMember(db: Db, mappingId: number): Promise<number> {
  const add = db.insertInto('mappingMember').values({ mappingId, contact: 'mama@example.com' }).returning('id');
  return (await add.executeTakeFirstOrThrow()).id;
}

async function insertMemberLink(db: Db, { mappingId, userId }: { mappingId: number; userId: number }, token: string) {
  const memberId = await insertMember(db, mappingId);
  await insertInvitation(db, { tokenHash: hashSecret(token), purpose: 'join', memberId, invitedBy: userId }, 1);
  return memberId;
}

test('of two links for one account’s password that are used at once, one sets it', async () => {
  await using t = await openTestDb();
  const userId = await insertAccount(t.db);
  const [first, second] = [
    await insertPasswordLink(t.db, userId, 'first'),
    await insertPasswordLink(t.db, userId, 'second'),
  ];

  const chosen = await runBothWhileLocked(
    t,
    lockAccount(userId),
    async () => await choosePassword(t.db, { token: first, password }),
    async () => await choosePassword(t.db, { token: second, password: testPassword }),
  );

  expect(chosen).toMatchObject([{ status: 'fulfilled', value: 'li' }, unknown]);
});

test.each(['accept', 'join'])('a member who is removed while they %s finds that the link has ended', async (way) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const token = 'a link';
  const memberId = await insertMemberLink(t.db, gate, token);
  const mama = await insertUser(t.db, 'mama');
  const use = async () =>
    way === 'accept'
      ? await acceptInvitation(t.db, mama, token)
      : await joinByInvitation({ ...testKeys, db: t.db }, { token, username: 'papa', password });

  const [removed, used] = await runBothWhileLocked(
    t,
    lockMember(memberId),
    async () => await gate.owner.call('DELETE', `/api/user/members/${memberId}/`),
    use,
  );

  expect(removed).toMatchObject({ value: { status: 200 } });
  expect(used).toMatchObject(unknown);
});

test('a member who is removed while they are invited is not found', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const memberId = await insertMember(t.db, gate.mappingId);
  const deps = { db: t.db, publicUrl: 'http://localhost', mailer: undefined };

  const [removed, invited] = await runBothWhileLocked(
    t,
    lockMember(memberId),
    async () => await gate.owner.call('DELETE', `/api/user/members/${memberId}/`),
    async () => await inviteMember(deps, { memberId, ownerId: gate.userId }),
  );

  expect(removed).toMatchObject({ value: { status: 200 } });
  expect(invited).toMatchObject({ status: 'rejected', reason: { code: 'member.not-found' } });
});
