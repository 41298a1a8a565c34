import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertAccount } from '../../testing/open-account-app.ts';
import { lockUser } from '../../db/lock-user.ts';
import { endAllSessions, endOtherSessions } from './end-sessions.ts';
import { insertSession } from './session-store.ts';

const [kept, finishing, tokenHash, browserHash] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)];

const everywhere = [
  ['everywhere else', endOtherSessions, [kept]],
  ['everywhere', endAllSessions, []],
] as const;

type Meanwhile = {
  /** What the login has done and not committed, before its session. */
  login: (tx: Db) => Promise<unknown>;
  end: typeof endOtherSessions;
};

/** The sessions that are left when they are ended while a login is just getting its own. */
async function endMeanwhile({ db }: TestDb, userId: number, { login, end }: Meanwhile): Promise<Buffer[]> {
  await insertSession(db, { idHash: kept, userId, ip: '127.0.0.1', userAgent: '', isConfirmed: true });
  const ended: Promise<void>[] = [];
  await db.transaction().execute(async (tx) => {
    await login(tx);
    await insertSession(tx, { idHash: finishing, userId, ip: '203.0.113.7', userAgent: '', isConfirmed: true });
    ended.push(db.transaction().execute(async (other) => await end(other, userId, kept)));
    await expect.poll(async () => await countWaiting({ db })).toBe(1);
  });
  await Promise.all(ended);
  return (await db.selectFrom('session').select('idHash').execute()).map(({ idHash }) => idHash);
}

test.each(everywhere)('who logs out %s ends a login, too, that is just beginning', async (_where, end, left) => {
  await using t = await openTestDb();
  const userId = await insertAccount(t.db);
  const login = async (tx: Db) => await lockUser(tx, userId); // as logins do

  expect(await endMeanwhile(t, userId, { login, end })).toEqual(left);
});

test.each(everywhere)(
  'who logs out %s ends a login, too, that is just passing its second step',
  async (_where, end, left) => {
    await using t = await openTestDb();
    const userId = await insertAccount(t.db);
    const expiresAt = new Date(Date.now() + 60_000);
    await t.db.insertInto('loginStep').values({ tokenHash, browserHash, userId, expiresAt }).execute();
    const login = async (tx: Db) => await tx.updateTable('loginStep').set({ usedAt: new Date() }).execute();

    expect(await endMeanwhile(t, userId, { login, end })).toEqual(left);
  },
);
