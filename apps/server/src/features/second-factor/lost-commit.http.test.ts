import { must } from '@tongtu/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  insertAccount,
  logInFirstStep,
  openAccountApp,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';

const second = '/custom/login/second/';

/** Lets every insert into the table pass, and fails the commit after it. */
async function refuseCommits(db: Db, table: 'session' | 'login_step'): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$`.execute(
    db,
  );
  await sql`
    create constraint trigger refuse after insert on ${sql.table(table)}
    deferrable initially deferred for each row execute function refuse()`.execute(db);
}

test('a login that is not committed leaves the browser its present session', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  await refuseCommits(t.db, 'session');

  const reply = await browser.call('POST', '/custom/login/', { account: 'li', password: testPassword });

  expect(reply).toMatchObject({ status: 500 });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
});

test('a second step that is not committed leaves the browser its present session, and can be repeated', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const { recoveryCodes } = await turnOnTotp(browser);
  const { token } = must((await logInFirstStep(browser)).second_factor, 'a second step');
  const take = async () => await browser.call('POST', second, { token, recovery_code: recoveryCodes[0] });
  await refuseCommits(t.db, 'session');

  expect(await take()).toMatchObject({ status: 500 });
  expect((await browser.call('GET', '/api/login_status/')).body).toEqual({ logged_in: true, id });
  await sql`drop trigger refuse on session`.execute(t.db);
  expect(await take()).toMatchObject({ status: 200, body: { id } });
});

test('a first step that is not committed sets no login step cookie', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  await turnOnTotp(await app.browserOf(await insertAccount(t.db)));
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  await refuseCommits(t.db, 'login_step');

  const reply = await browser.call('POST', '/custom/login/', { account: 'li', password: testPassword });

  expect(reply).toMatchObject({ status: 500 });
  expect(browser.cookies.has('loginstep')).toBe(false);
});
