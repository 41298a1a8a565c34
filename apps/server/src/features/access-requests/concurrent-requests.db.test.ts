import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { openGateApp } from '../../testing/apps/open-gate-app.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';

const url = 'http://nas.localhost:8080/';

const lockMapping = (id: number) => async (tx: Db) =>
  await tx.selectFrom('mapping').where('id', '=', id).select('id').forUpdate().execute();

async function openWithRequests(t: TestDb, count: number) {
  const gate = await openGateApp(t);
  const { mappingId } = gate;
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const userId = await insertUser(t.db, `account-${n}`);
    const added = t.db.insertInto('accessRequest').values({ mappingId, userId }).returning('id');
    ids.push((await added.executeTakeFirstOrThrow()).id);
  }
  return { gate, ids, pending: async () => await t.db.selectFrom('accessRequest').select('id').execute() };
}

async function requestBy(t: TestDb, { app }: Awaited<ReturnType<typeof openGateApp>>, username: string) {
  const browser = await app.browserOf(await insertUser(t.db, username));
  return async () => await browser.call('POST', '/custom/check/request/', { url, message: '' });
}

test('of two requests at once that compete for the last place of the day, one is saved', async () => {
  await using t = await openTestDb();
  const { gate, pending } = await openWithRequests(t, 19);
  await using _ = gate;
  const [first, second] = [await requestBy(t, gate, 'wang'), await requestBy(t, gate, 'zhao')];

  const replies = await runBothWhileLocked(t, lockMapping(gate.mappingId), first, second);

  expect(replies).toMatchObject([{ value: { status: 200 } }, { value: { status: 200 } }]);
  expect(await pending()).toHaveLength(20);
});

test('a request for a mapping that is just being deleted has the same reply as any other', async () => {
  await using t = await openTestDb();
  const { gate, pending } = await openWithRequests(t, 0);
  await using _ = gate;
  const request = await requestBy(t, gate, 'wang');

  const [deleted, requested] = await runBothWhileLocked(
    t,
    lockMapping(gate.mappingId),
    async () => await gate.owner.call('DELETE', `/api/user/records/${gate.mappingId}/`),
    request,
  );

  expect(deleted).toMatchObject({ value: { status: 200 } });
  expect(requested).toMatchObject({ value: { status: 200, body: { ok: true } } });
  expect(await pending()).toEqual([]);
});

test('a request is not found when the account that asks is deleted while the owner allows it', async () => {
  await using t = await openTestDb();
  const { gate, ids } = await openWithRequests(t, 1);
  await using _ = gate;
  const users = t.db.selectFrom('userAccount').where('username', '=', 'account-0').select('id');
  const { id: userId } = await users.executeTakeFirstOrThrow();

  const { allowed } = await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('userAccount').where('id', '=', userId).select('id').forUpdate().execute();
    const waiting = gate.owner.call('POST', `/api/user/access_requests/${ids[0]}/allow/`, { valid_hours: null });
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    await tx.deleteFrom('userAccount').where('id', '=', userId).execute();
    return { allowed: waiting };
  });

  expect(await allowed).toMatchObject({ status: 404, body: { code: 'access-request.not-found' } });
});
