import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { insertPerson, openPhoneApp, post } from './testing/open-phone-app.ts';

const phone = '13800138000';
const e164 = '+8613800138000';
const path = '/api/verify/sms/send/';

test('who is not logged in needs a captcha for each code', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const ask = (ticket?: string) => post(browser, path, { phone, purpose: 'login', ticket });

  expect(await ask()).toMatchObject({ status: 403, body: { code: 'captcha.required' } });
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  expect(await ask(ticket)).toMatchObject({ status: 200, body: { retry_after: 60, expires_in: 300 } });
  // Used up, another purpose's and made up are one answer: not usable.
  for (const unusable of [ticket, await solveCaptcha(t.db, browser, 'login'), 'made up']) {
    expect(await ask(unusable)).toMatchObject({ status: 403, body: { code: 'captcha.ticket-expired' } });
  }

  expect(app.sent).toEqual([{ to: e164, purpose: 'login', code: expect.stringMatching(/^\d{6}$/) }]);
});

test('the reply never holds the code, and known and unknown numbers are answered alike', async () => {
  await using t = await openTestDb();
  await insertPerson(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const ask = async (number: string, purpose: string) => {
    const browser = app.browser();
    const ticket = await solveCaptcha(t.db, browser, 'sms');
    const { status, text } = await post(browser, path, { phone: number, purpose, ticket });
    return { status, text };
  };

  for (const purpose of ['login', 'reset']) {
    await t.db.deleteFrom('rateCount').execute();
    const known = await ask(phone, purpose);
    expect(await ask('13900139000', purpose)).toEqual(known);
    expect(known).toEqual({ status: 200, text: '{"retry_after":60,"expires_in":300}' });
  }
  expect(app.sent.map(({ to }) => to)).toEqual([e164, '+8613900139000', e164, '+8613900139000']);
});

test('of many askings at once with one captcha one code is sent', async () => {
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

test('a number that is none is told before the captcha is used up', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  const ask = (number?: string) => post(browser, path, { phone: number, purpose: 'login', ticket });

  expect(await ask('010-62781234')).toMatchObject({ status: 422, body: { code: 'phone.invalid' } });
  expect(await ask('+852 5123 4567')).toMatchObject({ status: 422, body: { code: 'phone.invalid' } });
  expect(await ask()).toMatchObject({ status: 422, body: { errors: { phone: ['请输入手机号'] } } });
  expect((await ask(phone)).status).toBe(200);
});

test('codes for an account’s own affairs are for who is logged in, and go to its own number', async () => {
  await using t = await openTestDb();
  const bound = await insertPerson(t.db, { username: 'li', phone: e164 });
  const unbound = await insertPerson(t.db, { username: 'han' });
  await using app = await openPhoneApp(t.db);
  const stranger = app.browser();
  const ticket = await solveCaptcha(t.db, stranger, 'sms');

  for (const purpose of ['bind', 'rebind', 'rebind_old', 'confirm']) {
    const reply = await post(stranger, path, { phone, purpose, ticket });
    expect(reply).toMatchObject({ status: 401, body: { code: 'session.required' } });
  }
  const reply = await post(await app.browserOf(unbound), path, { purpose: 'confirm' });
  expect(reply).toMatchObject({ status: 409, body: { code: 'phone.not-bound' } });
  await app.receiveCode(await app.browserOf(bound), 'confirm', '13900139000');
  expect(app.sent).toMatchObject([{ to: e164, purpose: 'confirm' }]);
});

test('a second code within a minute is refused with Retry-After', async () => {
  await using t = await openTestDb();
  const id = await insertPerson(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  await app.receiveCode(browser, 'confirm');

  const reply = await post(browser, path, { purpose: 'rebind_old' });

  expect(reply).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(30);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('a limit leaves the captcha as good as it was, and the next code that is sent uses it up', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  await app.receiveCode(browser, 'login', phone);
  const ticket = await solveCaptcha(t.db, browser, 'sms');
  const ask = (number: string) => post(browser, path, { phone: number, purpose: 'login', ticket });

  for (let i = 0; i < 2; i++) expect(await ask(phone)).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect((await ask('13900139000')).status).toBe(200);
  expect(await ask('13700137000')).toMatchObject({ status: 403, body: { code: 'captcha.ticket-expired' } });
  expect(app.sent.map(({ to }) => to)).toEqual([e164, '+8613900139000']);
});

test('one captcha sends one code, also while limits give it back again and again', async () => {
  await using t = await openTestDb();
  await using app = await openPhoneApp(t.db);
  const browser = app.browser();
  await app.receiveCode(browser, 'login', phone);
  const ticket = await solveCaptcha(t.db, browser, 'sms');

  const numbers = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? phone : `139001390${10 + i}`));
  await Promise.all(numbers.map((number) => post(browser, path, { phone: number, purpose: 'login', ticket })));
  const last = await post(browser, path, { phone: '13700137000', purpose: 'login', ticket });

  // Whether one of the sixteen had the ticket when it could use it, or the last one had: it was used once.
  expect(app.sent).toHaveLength(2);
  expect([200, 403]).toContain(last.status);
});

test.each([{ purpose: 'confirm' }, { purpose: 'rebind_old' }, { purpose: 'login', phone }])(
  'strangers who use up a number’s codes of the day keep nothing from its logged-in owner, who has as many: $purpose',
  async (asked) => {
    await using t = await openTestDb();
    const id = await insertPerson(t.db, { username: 'li', phone: e164 });
    await using app = await openPhoneApp(t.db);
    const owner = await app.browserOf(id);
    const keepDay = async () =>
      void (await t.db.deleteFrom('rateCount').where('key', 'not like', '%, daily%').execute());
    const askAsStranger = async () => {
      const stranger = app.browser();
      const ticket = await solveCaptcha(t.db, stranger, 'sms');
      return await post(stranger, path, { phone, purpose: 'login', ticket });
    };
    for (let i = 0; i < 10; i++) {
      expect((await askAsStranger()).status).toBe(200);
      await keepDay();
    }
    expect((await askAsStranger()).body).toMatchObject({ code: 'code.daily-limit' });

    for (let i = 0; i < 10; i++) {
      expect((await post(owner, path, asked)).status).toBe(200);
      if (i === 0) expect((await post(owner, path, asked)).body).toMatchObject({ code: 'code.too-often' });
      await keepDay();
    }
    expect((await post(owner, path, asked)).body).toMatchObject({ code: 'code.daily-limit' });
  },
);

test('what somebody who is logged in asks for at a number of others is counted with what strangers ask for', async () => {
  await using t = await openTestDb();
  const id = await insertPerson(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  await app.receiveCode(app.browser(), 'login', '13900139000');

  const reply = await post(await app.browserOf(id), path, { phone: '13900139000', purpose: 'rebind' });

  expect(reply).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
});

test('when the provider fails, people are told so and may try again at once', async () => {
  await using t = await openTestDb();
  const id = await insertPerson(t.db, { username: 'li', phone: e164 });
  await using app = await openPhoneApp(t.db);
  const browser = await app.browserOf(id);
  app.breakSending();

  for (let i = 0; i < 2; i++) {
    const reply = await post(browser, path, { purpose: 'confirm' });
    expect(reply).toMatchObject({ status: 503, body: { code: 'sms.unavailable' } });
    expect(reply.text).not.toContain('credit');
  }
});

test('a code for a mail address is for who is logged in', async () => {
  await using t = await openTestDb();
  const id = await insertPerson(t.db, { username: 'li' });
  await using app = await openPhoneApp(t.db);
  const ask = async (browser: ReturnType<typeof app.browser>, email: string) =>
    await post(browser, '/api/verify/email/send/', { email });

  expect(await ask(app.browser(), 'li@example.com')).toMatchObject({ status: 401 });
  const browser = await app.browserOf(id);
  expect(await ask(browser, 'li@example.com\r\nBcc: all@example.com')).toMatchObject({ status: 422 });
  expect(await ask(browser, 'li@example.com')).toMatchObject({ status: 200, body: { retry_after: 60 } });
  expect(await ask(browser, 'LI@example.com')).toMatchObject({ status: 429, body: { code: 'code.too-often' } });
  expect(app.sent).toMatchObject([{ to: 'li@example.com', purpose: 'mail' }]);
});
