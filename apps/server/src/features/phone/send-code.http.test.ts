import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { insertUser, openPhoneApp, post } from './testing/open-phone-app.ts';

const phone = '13800138000';
const e164 = '+8613800138000';
const path = '/api/verify/sms/send/';

test('without a login each code needs a captcha', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const request = (ticket?: string) => post(browser, path, { phone, purpose: 'login', ticket });

  expect(await request()).toMatchObject({ status: 403, body: { code: 'captcha.required' } });
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  expect(await request(ticket)).toMatchObject({ status: 200, body: { retry_after: 60, expires_in: 300 } });
  // A used ticket, a ticket for another purpose and an invented one have the same reply.
  for (const unusable of [ticket, await solveCaptcha(t.db, browser, 'login'), 'made up']) {
    expect(await request(unusable)).toMatchObject({ status: 403, body: { code: 'captcha.ticket-expired' } });
  }

  expect(app.sent).toEqual([{ to: e164, purpose: 'login', code: expect.stringMatching(/^\d{6}$/) }]);
});

test('the reply does not contain the code, and is the same for known and unknown numbers', async () => {
  await using t = await openTestDb();
  await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const request = async (number: string, purpose: string) => {
    const browser = app.browser();
    const ticket = await solveCaptcha(t.db, browser, 'sms');
    const { status, text } = await post(browser, path, { phone: number, purpose, ticket });
    return { status, text };
  };

  for (const purpose of ['login', 'reset']) {
    await t.db.deleteFrom('rateCount').execute();
    const known = await request(phone, purpose);
    expect(await request('13900139000', purpose)).toEqual(known);
    expect(known).toEqual({ status: 200, text: '{"retry_after":60,"expires_in":300}' });
  }
  expect(app.sent.map(({ to }) => to)).toEqual([e164, '+8613900139000', e164, '+8613900139000']);
});

test('of many requests at once with one captcha one sends a code', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  await browser.call('GET', '/api/login_status/');

  const numbers = Array.from({ length: 8 }, (_, i) => `1380013800${i}`);
  const replies = await Promise.all(
    numbers.map((number) => post(browser, path, { phone: number, purpose: 'login', ticket })),
  );

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(app.sent).toHaveLength(1);
});

test('an invalid number is refused before the captcha is used', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  const request = (number?: string) => post(browser, path, { phone: number, purpose: 'login', ticket });

  expect(await request('010-62781234')).toMatchObject({ status: 422, body: { code: 'phone.invalid' } });
  expect(await request('+852 5123 4567')).toMatchObject({ status: 422, body: { code: 'phone.invalid' } });
  expect(await request()).toMatchObject({ status: 422, body: { errors: { phone: ['请输入手机号'] } } });
  expect((await request(phone)).status).toBe(200);
});

test('codes for changes to an account need a login and go to its own number', async () => {
  await using t = await openTestDb();
  const bound = await insertUser(t.db, { username: 'li', phone: e164 });
  const unbound = await insertUser(t.db, { username: 'han' });
  await using app = await openPhoneApp(t.db);
  const anonymous = app.browser();
  const ticket = await solveCaptcha(t.db, anonymous, 'sms');

  for (const purpose of ['bind', 'rebind', 'rebind_old', 'confirm']) {
    const reply = await post(anonymous, path, { phone, purpose, ticket });
    expect(reply).toMatchObject({ status: 401, body: { code: 'session.required' } });
  }
  const reply = await post(await app.browserOf(unbound), path, { purpose: 'confirm' });
  expect(reply).toMatchObject({ status: 409, body: { code: 'phone.not-bound' } });
  await app.receiveCode(await app.browserOf(bound), 'confirm', '13900139000');
  expect(app.sent).toMatchObject([{ to: e164, purpose: 'confirm' }]);
});

test('a second code within a minute is refused with Retry-After', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  await app.receiveCode(browser, 'confirm');

  const reply = await post(browser, path, { purpose: 'rebind_old' });

  expect(reply).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(30);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('a code that a limit refuses leaves the captcha valid, and the next code sent uses it', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  await app.receiveCode(browser, 'login', phone);
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  const request = (number: string) => post(browser, path, { phone: number, purpose: 'login', ticket });

  for (let i = 0; i < 2; i++)
    expect(await request(phone)).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect((await request('13900139000')).status).toBe(200);
  expect(await request('13700137000')).toMatchObject({ status: 403, body: { code: 'captcha.ticket-expired' } });
  expect(app.sent.map(({ to }) => to)).toEqual([e164, '+8613900139000']);
});

test('one captcha sends one code, also when limits restore it several times', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  await app.receiveCode(browser, 'login', phone);
  const ticket = await solveCaptcha(t.db, browser, 'sms');

  const numbers = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? phone : `139001390${10 + i}`));
  await Promise.all(numbers.map((number) => post(browser, path, { phone: number, purpose: 'login', ticket })));
  const last = await post(browser, path, { phone: '13700137000', purpose: 'login', ticket });

  // Either one of the sixteen or the last request used the ticket, and only one of them did.
  expect(app.sent).toHaveLength(2);
  expect([200, 403]).toContain(last.status);
});

test.each([{ purpose: 'confirm' }, { purpose: 'rebind_old' }, { purpose: 'login', phone }])(
  'codes that others request for a number do not reduce those of its logged-in owner: $purpose',
  async (body) => {
    await using t = await openTestDb();
    const id = await insertUser(t.db, { username: 'li', phone: e164 });
    await using app = await openPhoneApp(t.db);
    const owner = await app.browserOf(id);
    const endPauseAndHour = async () =>
      void (await t.db.deleteFrom('rateCount').where('key', 'not like', '%, daily%').execute());
    const requestAnonymously = async () => {
      const anonymous = app.browser();
      const ticket = await solveCaptcha(t.db, anonymous, 'sms');
      return await post(anonymous, path, { phone, purpose: 'login', ticket });
    };
    for (let i = 0; i < 10; i++) {
      expect((await requestAnonymously()).status).toBe(200);
      await endPauseAndHour();
    }
    expect((await requestAnonymously()).body).toMatchObject({ code: 'code.daily-limit' });

    for (let i = 0; i < 10; i++) {
      expect((await post(owner, path, body)).status).toBe(200);
      if (i === 0) expect((await post(owner, path, body)).body).toMatchObject({ code: 'code.too-often' });
      await endPauseAndHour();
    }
    expect((await post(owner, path, body)).body).toMatchObject({ code: 'code.daily-limit' });
  },
);

test('codes that an account requests for another’s number count like those of anonymous clients', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  await app.receiveCode(app.browser(), 'login', '13900139000');

  const reply = await post(await app.browserOf(id), path, { phone: '13900139000', purpose: 'rebind' });

  expect(reply).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
});

test('when the provider fails, the reply says so without details, and the next try is allowed at once', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  app.breakSending();

  for (let i = 0; i < 2; i++) {
    const reply = await post(browser, path, { purpose: 'confirm' });
    expect(reply).toMatchObject({ status: 503, body: { code: 'sms.unavailable' } });
    expect(reply.text).not.toContain('credit');
  }
});

test('a code for a mail address needs a login', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const request = async (browser: ReturnType<typeof app.browser>, email: string) =>
    await post(browser, '/api/verify/email/send/', { email });

  expect(await request(app.browser(), 'li@example.com')).toMatchObject({ status: 401 });
  const browser = await app.browserOf(id);
  expect(await request(browser, 'li@example.com\r\nBcc: all@example.com')).toMatchObject({ status: 422 });
  expect(await request(browser, 'li@example.com')).toMatchObject({ status: 200, body: { retry_after: 60 } });
  expect(await request(browser, 'LI@example.com')).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect(app.sent).toMatchObject([{ to: 'li@example.com', purpose: 'mail' }]);
});
