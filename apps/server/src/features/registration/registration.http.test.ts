import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { insertAccount, openAccountApp } from '../../testing/apps/open-account-app.ts';
import { readRegistration } from './registration.ts';

const path = '/api/manage/registration/';

test('until it is set, who has a phone or WeChat may join where one of them is set up, else who is invited', async () => {
  await using t = await openTestDb();
  expect(await readRegistration(t.db, [])).toBe('invitation');
  expect(await readRegistration(t.db, ['wechat'])).toBe('open');
});

test('staff set it after a confirmation, which the log says; others may not see it', async () => {
  await using t = await openTestDb();
  const { log, lines } = captureLog();
  await using app = await openAccountApp(t.db, { log });
  const byUserId = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const staff = await app.browserOf(byUserId);
  const li = await app.browserOf(await insertAccount(t.db));

  expect(await staff.call('PATCH', path, { registration: 'closed' })).toMatchObject({
    ...{ status: 200, body: { registration: 'closed', methods: [], mail: false } },
  });
  expect((await staff.call('GET', path)).body).toMatchObject({ registration: 'closed' });
  expect(lines).toMatchObject([{ byUserId, registration: 'closed' }]);
  expect(await staff.call('PATCH', path, { registration: 'anybody' })).toMatchObject({ status: 422 });
  expect(await li.call('GET', path)).toMatchObject({ status: 403 });
  expect(await li.call('PATCH', path, { registration: 'open' })).toMatchObject({ status: 403 });

  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();
  const late = await staff.call('PATCH', path, { registration: 'open' });
  expect(late).toMatchObject({ body: { code: 'session.confirm-required' } });
  expect((await staff.call('GET', path)).body).toMatchObject({ registration: 'closed' });
});
