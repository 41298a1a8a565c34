import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { endAllSessions, endOtherSessions } from './end-sessions.ts';
import { insertSession } from './session-store.ts';

const [kept, created, tokenHash, browserHash] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)];

const everywhere = [
  ['everywhere else', endOtherSessions, [kept]],
  ['everywhere', endAllSessions, []],
] as const;

type Race = {
  /** What the login does in its transaction before it inserts its session. */
  login: (tx: Db) => Promise<unknown>;
  end: typeof endOtherSessions;
};

/** Ends the sessions while a login is in progress. Returns the sessions that are left. */
async function endDuringLogin({ db }: TestDb, userId: number, { login, end }: Race): Promise<Buffer[]> {
  await insertSession(db, { idHash: kept, userId, ip: '127.0.0.1', userAgent: '', isConfirmed: true });
  const ended: Promise<void>[] = [];
  await db.transaction().execute(async (tx) => {
    await login(tx);
    await insertSession(tx, { idHash: created, userId, ip: '203.0.113.7', userAgent: '', isConfirmed: true });
    ended.push(db.transaction().execute(async (other) => await end(other, userId, kept)));
    await expect.poll(async () => await countWaiting({ db })).toBe(1);
  });
  await Promise.all(ended);
  return (await db.selectFrom('session').select('idHash').execute()).map(({ idHash }) => idHash);
}

test.each(everywhere)('logging out %s also ends a login in progress', async (_where, end, left) => {
  await using t = await openTestDb();
  const userId = await insertAccount(t.db);
  const login = async (tx: Db) => await lockUserForNoKeyUpdate(tx, userId); // like a login

  expect(await endDuringLogin(t, userId, { login, end })).toEqual(left);
});

test.each(everywhere)(
  'logging out %s also ends a login that is completing its second step',
  async (_where, end, left) => {
    await using t = await openTestDb();
    const userId = await insertAccount(t.db);
    const expiresAt = new Date(Date.now() + 60_000);
    await t.db.insertInto('loginStep').values({ tokenHash, browserHash, userId, expiresAt }).execute();
    const login = async (tx: Db) => await tx.updateTable('loginStep').set({ usedAt: new Date() }).execute();

    expect(await endDuringLogin(t, userId, { login, end })).toEqual(left);
  },
);
