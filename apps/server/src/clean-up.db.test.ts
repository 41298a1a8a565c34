import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { openTestDb } from './db/open-test-db.ts';

test('a step of the cleaning that fails is logged and keeps none after it from being done', async () => {
  await using t = await openTestDb();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const code = { purpose: 'sms login', address: '+8613800138000', expiresAt: new Date(0) };
  await t.db
    .insertInto('oneTimeCode')
    .values({ ...code, browserHash: Buffer.alloc(32), codeHash: Buffer.alloc(32) })
    .execute();
  await sql`drop table login_failure`.execute(t.db);

  await cleanUp(t.db, log);

  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { step: 'deleteOldFailures', msg: 'clean-up step failed' },
  ]);
  expect(await t.db.selectFrom('oneTimeCode').select('address').execute()).toEqual([]);
});
