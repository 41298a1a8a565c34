import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp, testPassword, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { hasAdministratorLoggedIn } from './first-steps-store.ts';

const path = '/api/manage/first_steps/';

async function insertFirstAdmin(db: Db): Promise<number> {
  const id = await insertAccount(db, { username: 'admin', isSuperuser: true });
  await db.updateTable('userAccount').set({ hasOneTimePassword: true }).execute();
  const value = JSON.stringify({ adminId: id });
  await db.insertInto('setting').values({ name: 'first_start', value }).execute();
  return id;
}

test('each step is done when it really is', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const userId = await insertFirstAdmin(t.db);
  const admin = await app.browserOf(userId);
  const nothing = { password: false, second_factor: false, alert: false, domain: false, backup: false };
  expect((await admin.call('GET', path)).body).toEqual({ is_shown: true, ...nothing });

  const change = { old_password: testPassword, new_password: 'a lion in the garden' };
  expect((await admin.call('POST', '/custom/password/', change)).status).toBe(200);
  await turnOnTotp(admin);
  const channel = { userId, name: 'bark', hint: '', hasSecret: false, events: ['new_login' as const] };
  await t.db
    .insertInto('alertChannel')
    .values({ ...channel, kind: 'webhook', targetSealed: Buffer.alloc(1) })
    .execute();
  await admin.call('PATCH', path, { backup: true });

  expect((await admin.call('GET', path)).body).toEqual({
    ...{ is_shown: true, password: true, second_factor: true, alert: true, domain: false, backup: true },
  });
  const dismissed = await admin.call('PATCH', path, { is_shown: false });
  expect(dismissed.body).toMatchObject({ is_shown: false, backup: true });
});

test('they are for the first administrator; other superusers are not shown them, and other users may not ask', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertFirstAdmin(t.db);
  const other = await app.browserOf(await insertAccount(t.db, { username: 'root', isSuperuser: true }));
  const staff = await app.browserOf(await insertAccount(t.db, { username: 'staff', isStaff: true }));

  expect((await other.call('GET', path)).body).toMatchObject({ is_shown: false });
  expect(await staff.call('GET', path)).toMatchObject({ status: 403 });
  expect(await staff.call('PATCH', path, { backup: true })).toMatchObject({ status: 403 });
});

test('an administrator has logged in once one has, and not when somebody else has', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await insertFirstAdmin(t.db);
  await insertAccount(t.db);
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  const logIn = async (account: string) =>
    await browser.call('POST', '/custom/login/', { account, password: testPassword });

  await logIn('li');
  expect(await hasAdministratorLoggedIn(t.db)).toBe(false);
  await browser.call('GET', '/custom/logout');
  await browser.call('GET', '/api/login_status/');
  expect((await logIn('admin')).status).toBe(200);
  expect(await hasAdministratorLoggedIn(t.db)).toBe(true);
});
