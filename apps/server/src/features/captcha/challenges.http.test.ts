import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { lookUpAnswer, rightAnswer } from './testing/answers.ts';
import { answerChallenge, captchaRoutes, fetchChallenge, fetchKind } from './testing/captcha-calls.ts';

test.each(['click', 'slide', 'drag', 'rotate'] as const)(
  'a %s challenge has the fields of the specification, no answer, and lasts two minutes',
  async (type) => {
    await using t = await openTestDb();
    await using app = await openTestApp(t.db, captchaRoutes(t.db));
    const browser = app.browser();

    const challenge =
      type === 'click' ? await fetchChallenge(browser, 'purpose=sms') : await fetchKind(t.db, browser, type);

    const tile = ['thumbX', 'thumbY', 'thumbWidth', 'thumbHeight'];
    const own = { click: [], slide: tile, drag: tile, rotate: ['thumbSize', 'angle'] }[type];
    expect(Object.keys(challenge).toSorted()).toEqual(
      ['type', 'key', 'image', 'thumb', 'expires_at', ...own].toSorted(),
    );
    expect(challenge.image).toMatch(/^data:image\/jpeg;base64,/);
    expect(challenge.thumb).toMatch(/^data:image\/(jpeg|png);base64,/);
    const { drawnAt, expiresAt } = await t.db
      .selectFrom('captchaChallenge')
      .select(['drawnAt', 'expiresAt'])
      .where('key', '=', challenge.key)
      .executeTakeFirstOrThrow();
    expect(challenge.expires_at).toBe(expiresAt.toISOString());
    expect(Math.round((expiresAt.getTime() - (drawnAt?.getTime() ?? 0)) / 1000)).toBe(120);
  },
);

test('an SMS needs the strong kind, whatever kind is requested', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));

  expect((await fetchChallenge(app.browser(), 'purpose=sms&type=rotate')).type).toBe('click');
});

test('a key that is answered ten times at once is judged once', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');
  const body = { key, answer: rightAnswer(await lookUpAnswer(t.db, key)) };

  const replies = await Promise.all(Array.from({ length: 10 }, () => browser.call('POST', '/captcha/', body)));

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ text }) => text.includes('captcha.expired'))).toHaveLength(9);
});

test('a key is invalid after a wrong answer', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');

  expect((await answerChallenge(t.db, browser, key, 60)).body).toMatchObject({ code: 'captcha.wrong' });
  expect((await answerChallenge(t.db, browser, key)).body).toMatchObject({ code: 'captcha.expired' });
});

test('a key is invalid in another browser, from another address, or after two minutes', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const other = app.browser();
  await fetchChallenge(other, 'purpose=sms');
  const { key } = await fetchChallenge(browser, 'purpose=sms');
  const body = { key, answer: rightAnswer(await lookUpAnswer(t.db, key)) };
  const expired = { status: 422, body: { code: 'captcha.expired' } };

  expect(await other.call('POST', '/captcha/', body)).toMatchObject(expired);
  expect(await browser.call('POST', '/captcha/', body, { 'x-forwarded-for': '203.0.113.9' })).toMatchObject(expired);
  await t.db
    .updateTable('captchaChallenge')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute();
  expect(await browser.call('POST', '/captcha/', body)).toMatchObject(expired);
});

test('a trail that is longer than the time since the picture was sent is wrong', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');
  const right = rightAnswer(await lookUpAnswer(t.db, key));
  // In the future, so that the time is too short however long the call takes.
  await t.db
    .updateTable('captchaChallenge')
    .set({ drawnAt: new Date(Date.now() + 60_000) })
    .execute();

  expect((await browser.call('POST', '/captcha/', { key, answer: right })).body).toMatchObject({
    code: 'captcha.wrong',
  });
});

test('the pictures for one network are limited, with a Retry-After', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  await t.db
    .insertInto('rateCount')
    .values({ key: 'captcha drawn for 127.0.0.1', hits: 600, endsAt: new Date(Date.now() + 60_000) })
    .execute();

  const reply = await app.browser().call('GET', '/captcha/?purpose=login');

  expect(reply).toMatchObject({ status: 429, body: { code: 'request.too-many' } });
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('a browser that reaches its limit does not affect others of its network', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  await fetchChallenge(browser, 'purpose=login');
  await t.db.updateTable('rateCount').set({ hits: 60 }).where('key', 'like', 'captcha drawn for%').execute();

  const refused = { status: 429, body: { code: 'request.too-many' } };
  expect(await browser.call('GET', '/captcha/?purpose=login')).toMatchObject(refused);
  expect(await app.browser().call('GET', '/captcha/?purpose=login')).toMatchObject({ status: 200 });
});

test.each(['', 'purpose=login&key=x', 'purpose=root', 'key=', `key=${'x'.repeat(65)}`, 'purpose=login&type=button'])(
  'a picture for “%s” is refused',
  async (query) => {
    await using t = await openTestDb();
    await using app = await openTestApp(t.db, captchaRoutes(t.db));

    expect((await app.browser().call('GET', `/captcha/?${query}`)).status).toBe(422);
  },
);

test('invalid answers are refused, and none causes a server error', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=login');
  const endless = Array.from({ length: 2_001 }, (_, t) => ({ x: 1, y: 1, t }));
  const hostile = [
    null,
    {},
    { type: 'slide', x: '1', y: 1, trail: [] },
    { type: 'slide', x: 1e9, y: 1, trail: [] },
    { type: 'slide', x: 1, y: 1, trail: endless },
    { type: 'rotate', angle: -1, trail: [] },
    { type: 'click', dots: [{ index: 0, x: 1, y: 1, t: 0 }] },
    { type: 'click', dots: [], answer: 'x' },
  ];

  for (const given of hostile) {
    expect((await browser.call('POST', '/captcha/', { key, answer: given })).status).toBe(422);
  }
  const unknown = await browser.call('POST', '/captcha/', { key: "' or true --", answer: { type: 'click', dots: [] } });
  expect(unknown.body).toMatchObject({ code: 'captcha.expired' });
});
