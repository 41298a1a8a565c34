import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp, testPassword } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';

const confirm = '/custom/confirm/';
const change = '/custom/password/';
const newPassword = 'another good one';
const right = { status: 200 };
const locked = { status: 429, body: { code: 'login.locked' } };

async function typeWrong(browser: TestBrowser, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    expect(await browser.call('POST', confirm, { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'password.wrong' },
    });
  }
}

/** Sets the call limits of a minute later. */
async function clearCallLimits(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').where('key', 'like', 'POST %').execute();
}

test('wrong passwords of a session stop counting when the session is ended', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const owner = await app.browserOf(id);
  const thief = await app.browserOf(id);
  await typeWrong(owner, 2);
  await typeWrong(thief, 8);
  const changed = { old_password: testPassword, new_password: newPassword };
  for (const browser of [owner, thief]) {
    expect(await browser.call('POST', confirm, { password: testPassword })).toMatchObject(locked);
    expect(await browser.call('POST', change, changed)).toMatchObject(locked);
  }

  expect(await owner.call('DELETE', '/api/user/sessions/')).toMatchObject(right);

  // The owner's own two wrong passwords still count.
  const other = await app.browserOf(id);
  await typeWrong(other, 8);
  expect(await other.call('POST', confirm, { password: 'wrong' })).toMatchObject(locked);
  expect(await owner.call('DELETE', '/api/user/sessions/')).toMatchObject(right);
  await clearCallLimits(t.db);
  expect(await owner.call('POST', confirm, { password: testPassword })).toMatchObject(right);
  expect(await owner.call('POST', change, changed)).toMatchObject(right);
});

test('of many concurrent wrong passwords in several sessions ten are checked, and Retry-After says how long the lock lasts', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browsers = [await app.browserOf(id), await app.browserOf(id), await app.browserOf(id)] as const;
  const typed = async (browser: TestBrowser) => await browser.call('POST', confirm, { password: 'wrong' });

  // Few enough for the account's queue of hashes.
  const replies = await Promise.all(
    browsers.flatMap((browser) => Array.from({ length: 3 }, async () => await typed(browser))),
  );
  const more = await Promise.all(browsers.map(typed));

  const codes = [...replies, ...more].map(({ body }) => (body as { code: string }).code);
  expect(codes.filter((code) => code === 'password.wrong')).toHaveLength(10);
  expect(codes.filter((code) => code === 'login.locked')).toHaveLength(2);
  const { headers } = await typed(browsers[0]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(600);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
});

test('a right password clears the count of its own session only', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const [one, other] = [await app.browserOf(id), await app.browserOf(id)];
  await typeWrong(one, 4);
  await typeWrong(other, 5);

  expect(await one.call('POST', confirm, { password: testPassword })).toMatchObject(right);

  await typeWrong(one, 5);
  expect(await one.call('POST', confirm, { password: testPassword })).toMatchObject(locked);
});
