import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { cleanUp, runCleanUp } from './clean-up.ts';
import { openTestDb } from './db/open-test-db.ts';
import { insertAccount } from './testing/apps/open-account-app.ts';

test('a clean-up step that fails is logged, and the steps after it run', async () => {
  await using t = await openTestDb();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const code = { purpose: 'sms login', address: '+8613800138000', expiresAt: new Date(0) };
  await t.db
    .insertInto('oneTimeCode')
    .values({ ...code, browserHash: Buffer.alloc(32), codeHash: Buffer.alloc(32) })
    .execute();
  await sql`drop table failed_attempt`.execute(t.db);

  await cleanUp(t.db, log);

  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { step: 'deleteOldFailures', msg: 'clean-up step failed' },
  ]);
  expect(await t.db.selectFrom('oneTimeCode').select('address').execute()).toEqual([]);
});

test('an account is deleted when it is due, not with the next hourly clean-up', async () => {
  await using t = await openTestDb();
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  await t.db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(Date.now() - 1000) })
    .where('id', '=', await insertAccount(t.db))
    .execute();
  await using _running = runCleanUp(t.db, pino({ level: 'silent' }), { deleteAccountsEveryMs: 20 });

  const names = async () =>
    (await t.db.selectFrom('userAccount').select('username').execute()).map((row) => row.username);
  await expect.poll(names).toEqual(['admin']);
});
