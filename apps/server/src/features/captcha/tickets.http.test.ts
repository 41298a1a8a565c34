import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { deleteOldCaptchas } from './index.ts';
import { captchaRoutes, earnTicket, fetchChallenge, spendTicket, type SentMail } from './testing/captcha-calls.ts';

test('a right answer to the strong kind gives a ticket, usable once', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();

  const ticket = await earnTicket(t.db, browser, 'sms');

  expect(await spendTicket(browser, ticket, 'sms')).toBe(true);
  expect(await spendTicket(browser, ticket, 'sms')).toBe(false);
  expect(await t.db.selectFrom('captchaTicket').select('ticketHash').execute()).not.toContainEqual({
    ticketHash: Buffer.from(ticket),
  });
});

test('a ticket is valid for five minutes, an undrawn challenge for ten', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const minutesLeft = (expiresAt: Date) => Math.ceil((expiresAt.getTime() - Date.now()) / 60_000);

  await browser.call('GET', '/api/verify/captcha/init/?purpose=sms');
  const undrawn = await t.db.selectFrom('captchaChallenge').select('expiresAt').executeTakeFirstOrThrow();
  expect(minutesLeft(undrawn.expiresAt)).toBe(10);

  await earnTicket(t.db, browser, 'sms');
  const ticket = await t.db.selectFrom('captchaTicket').select('expiresAt').executeTakeFirstOrThrow();
  expect(minutesLeft(ticket.expiresAt)).toBe(5);
});

test('a ticket that is used ten times at once counts once', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const ticket = await earnTicket(t.db, browser, 'login');

  const uses = await Promise.all(Array.from({ length: 10 }, () => spendTicket(browser, ticket, 'login')));

  expect(uses.filter(Boolean)).toHaveLength(1);
});

test('a ticket is invalid for another purpose, in another browser, without cookies, or after five minutes', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const other = app.browser();
  await fetchChallenge(other, 'purpose=sms');
  const ticket = await earnTicket(t.db, browser, 'sms');

  expect(await spendTicket(browser, ticket, 'login')).toBe(false);
  expect(await spendTicket(other, ticket, 'sms')).toBe(false);
  expect(await spendTicket(app.browser(), ticket, 'sms')).toBe(false);
  await t.db
    .updateTable('captchaTicket')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute();
  expect(await spendTicket(browser, ticket, 'sms')).toBe(false);
});

test('an SMS needs a captcha without a login, but not with one', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const { id } = await t.db
    .insertInto('userAccount')
    .values({ username: 'li' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const init = '/api/verify/captcha/init/?purpose=sms';

  const none = { required: false, type: null, key: null };
  expect((await (await app.browserOf(id)).call('GET', init)).body).toEqual(none);
  const visitor = app.browser();
  const need = (await visitor.call('GET', init)).body as { key: string };
  expect(need).toEqual({ required: true, type: 'click', key: expect.any(String) });
  expect(await fetchChallenge(visitor, `key=${need.key}`)).toMatchObject({ type: 'click', key: need.key });
  const again = await visitor.call('GET', `/captcha/?key=${need.key}`);
  expect(again).toMatchObject({ status: 422, body: { code: 'captcha.expired' } });
});

test('after three failures a login needs a captcha, whose key is invalid in another browser', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const init = '/api/verify/captcha/init/?purpose=login';
  const attempt = async (query = '') => (await browser.call('GET', `/test/try${query}`)).body;

  for (let i = 0; i < 5; i++) expect(await attempt('?right=1')).toEqual({ ok: true });
  for (let i = 0; i < 3; i++) {
    expect((await browser.call('GET', init)).body).toMatchObject({ required: false });
    expect(await attempt()).toEqual({ ok: true });
  }
  expect(await attempt()).toEqual({ ok: false });
  const { key } = (await browser.call('GET', init)).body as { key: string };
  expect((await app.browser().call('GET', `/captcha/?key=${key}`)).body).toMatchObject({ code: 'captcha.expired' });
  expect(await fetchChallenge(browser, `key=${key}`)).toMatchObject({ key });
});

test('a failure counts for a quarter of an hour, at its target and from its address', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));

  await app.browser().call('GET', '/test/try');

  const counts = await t.db.selectFrom('rateCount').select(['key', 'endsAt']).where('key', 'like', 'failed%').execute();
  const minutesLeft = counts.map(({ key, endsAt }) => [key, Math.ceil((endsAt.getTime() - Date.now()) / 60_000)]);
  expect(Object.fromEntries(minutesLeft)).toEqual({ 'failed login from 127.0.0.1': 15, 'failed login at li': 15 });
});

test('a code by mail replaces a picture, with an address of an account and with any other', async () => {
  await using t = await openTestDb();
  const mails: SentMail[] = [];
  await using app = await openTestApp(t.db, captchaRoutes(t.db, mails));
  await t.db.insertInto('userAccount').values({ username: 'li', email: 'Li@example.com' }).execute();
  const [browser, other] = [app.browser(), app.browser()];
  for (const each of [browser, other]) await fetchChallenge(each, 'purpose=sms');

  const known = await browser.call('POST', '/captcha/email/', { purpose: 'sms', email: 'li@example.com' });
  const unknown = await browser.call('POST', '/captcha/email/', { purpose: 'sms', email: 'new@example.com' });

  expect(known).toMatchObject({ status: 200, body: { retry_after: 60 } });
  expect(unknown).toMatchObject({ status: 200, body: known.body });
  expect(mails.map(({ to }) => to)).toEqual(['li@example.com', 'new@example.com']);
  const given = { purpose: 'sms', email: 'New@Example.com', code: mails[1]?.code };
  const answered = async (by: TestBrowser) => await by.call('POST', '/captcha/email/answer/', given);
  expect((await answered(other)).body).toMatchObject({ code: 'code.expired' });
  const { ticket } = (await answered(browser)).body as { ticket: string };
  expect((await answered(browser)).body).toMatchObject({ code: 'code.expired' });
  expect(await spendTicket(browser, ticket, 'login')).toBe(false);
  expect(await spendTicket(other, ticket, 'sms')).toBe(false);
  expect(await spendTicket(browser, ticket, 'sms')).toBe(true);
});

test('an address and its variants get one code a minute and five a day in place of a captcha', async () => {
  await using t = await openTestDb();
  const mails: SentMail[] = [];
  await using app = await openTestApp(t.db, captchaRoutes(t.db, mails));
  const browser = app.browser();
  await fetchChallenge(browser, 'purpose=login');
  const ask = async (email: string) => await browser.call('POST', '/captcha/email/', { purpose: 'login', email });
  const names = ['li@example.com', 'LI@example.com', 'li+1@example.com', 'li+2@example.com', 'Li+3@Example.com'];

  for (const name of names) {
    expect((await ask(name)).status).toBe(200);
    expect(await ask('li+9@example.com')).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
    await t.db.deleteFrom('rateCount').where('key', 'like', '%pause%').execute();
    await t.db.deleteFrom('rateCount').where('key', 'like', '%hourly%').execute();
  }

  expect(await ask('li@example.com')).toMatchObject({ status: 429, body: { code: 'code.daily-limit' } });
  expect(mails).toHaveLength(5);
  const countedForOthers = t.db.selectFrom('rateCount').select('hits').where('key', 'like', 'mail %');
  expect(await countedForOthers.execute()).toEqual([]);
});

test('a network can have ten codes an hour sent in place of captchas, to any addresses', async () => {
  await using t = await openTestDb();
  const mails: SentMail[] = [];
  await using app = await openTestApp(t.db, captchaRoutes(t.db, mails));
  const browser = app.browser();
  await fetchChallenge(browser, 'purpose=login');
  const ask = async (email: string) =>
    await browser.call('POST', '/captcha/email/', { purpose: 'login', email: `${email}@example.com` });
  for (let i = 0; i < 10; i++) expect((await ask(`user${i}`)).status).toBe(200);

  expect(await ask('another')).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect(mails).toHaveLength(10);
});

test('expired challenges and tickets are deleted, valid ones stay', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  await earnTicket(t.db, browser, 'sms');
  const past = new Date(Date.now() - 1);
  await t.db.updateTable('captchaTicket').set({ expiresAt: past }).execute();
  await t.db.updateTable('captchaChallenge').set({ expiresAt: past }).execute();
  const { key } = await fetchChallenge(browser, 'purpose=sms');

  await deleteOldCaptchas(t.db);

  expect(await t.db.selectFrom('captchaChallenge').select('key').execute()).toEqual([{ key }]);
  expect(await t.db.selectFrom('captchaTicket').select('purpose').execute()).toEqual([]);
});
