import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import { endSessionById } from './end-sessions.ts';

test('ending a member’s session while the owner removes the member does not deadlock', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const wangId = await insertUser(t.db, 'wang');
  await t.db.updateTable('userAccount').set({ email: 'wang@example.com' }).where('id', '=', wangId).execute();
  const added = await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/members/`, {
    contact: 'wang@example.com',
  });
  const { id: memberId } = added.body as { id: number };
  const wang = await gate.app.browserOf(wangId);
  const [expired, valid] = [
    await gate.redeem(ticketOf(await check(wang))),
    await gate.redeem(ticketOf(await check(wang))),
  ];
  const inThePast = { expiresAt: new Date(0) };
  await t.db.updateTable('verification').set(inThePast).where('id', '=', expired.verificationId).execute();
  const own = { userId: wangId };
  const session = await t.db.selectFrom('session').where('userId', '=', wangId).select('id').executeTakeFirstOrThrow();

  // Both calls run and wait for the lock on the valid verification.
  const both = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('verification').select('id').where('id', '=', valid.verificationId).forUpdate().execute();
    const ends = t.db.transaction().execute(async (other) => await endSessionById(other, { ...own, ...session }));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    const removes = gate.owner.call('DELETE', `/api/user/members/${memberId}/`);
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    return { settled: Promise.allSettled([ends, removes]) };
  });

  expect(await both.settled).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled', value: { status: 200 } }]);
  const rows = await t.db.selectFrom('verification').where('revokedAt', 'is not', null).select('id').execute();
  expect(rows).toEqual([{ id: valid.verificationId }]);
});
