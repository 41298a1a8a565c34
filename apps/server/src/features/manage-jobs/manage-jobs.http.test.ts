import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { registerManageJobRoutes } from './manage-job-routes.ts';

test('staff see each job with its last run and its last error; others do not', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (server) =>
    registerManageJobRoutes(server, { db: t.db, names: ['a', 'b'] }),
  );
  const [staffId, userId] = [await insertUser(t.db, 'staff'), await insertUser(t.db, 'li')];
  await t.db.updateTable('userAccount').set({ isStaff: true }).where('id', '=', staffId).execute();
  const taken = { takenUntil: new Date('2126-01-01T00:00:00Z'), lastStartedAt: new Date('2026-11-24T00:00:00Z') };
  await t.db
    .insertInto('job')
    .values([
      { name: 'b', everySeconds: 5, lastError: '没有回应' },
      { name: 'a', everySeconds: 60, ...taken },
      { name: 'of the shop, which is off now', everySeconds: 5 },
    ])
    .execute();

  expect((await (await app.browserOf(staffId)).call('GET', '/api/manage/jobs/')).body).toMatchObject([
    { name: 'a', every_seconds: 60, is_running: true, last_started_at: '2026-11-24T00:00:00.000Z', last_error: null },
    { name: 'b', every_seconds: 5, is_running: false, last_started_at: null, last_error: '没有回应' },
  ]);
  expect(await (await app.browserOf(userId)).call('GET', '/api/manage/jobs/')).toMatchObject({ status: 403 });
});
