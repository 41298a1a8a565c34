import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/open-test-app.ts';
import { lookUpAnswer, rightAnswer } from './testing/answers.ts';
import { answerChallenge, captchaRoutes, fetchChallenge, fetchKind } from './testing/captcha-calls.ts';

test.each(['click', 'slide', 'drag', 'rotate'] as const)(
  'a %s challenge has the fields of the specification, no answer, and two minutes',
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

test('what costs money is guarded by the strong kind, whatever is request for', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));

  expect((await fetchChallenge(app.browser(), 'purpose=sms&type=rotate')).type).toBe('click');
});

test('one key answered ten times at once is judged once', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');
  const body = { key, answer: rightAnswer(await lookUpAnswer(t.db, key)) };

  const replies = await Promise.all(Array.from({ length: 10 }, () => browser.call('POST', '/captcha/', body)));

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ text }) => text.includes('captcha.expired'))).toHaveLength(9);
});

test('a wrong answer uses the key up', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');

  expect((await answerChallenge(t.db, browser, key, 60)).body).toMatchObject({ code: 'captcha.wrong' });
  expect((await answerChallenge(t.db, browser, key)).body).toMatchObject({ code: 'captcha.expired' });
});

test('a key is worth nothing in another browser, from another address, or after two minutes', async () => {
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

test('a trail cannot be longer than the picture has been there', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const { key } = await fetchChallenge(browser, 'purpose=sms');
  const right = rightAnswer(await lookUpAnswer(t.db, key));
  // Later than now, so that it is too short a time however long the answer takes to come.
  await t.db
    .updateTable('captchaChallenge')
    .set({ drawnAt: new Date(Date.now() + 60_000) })
    .execute();

  expect((await browser.call('POST', '/captcha/', { key, answer: right })).body).toMatchObject({
    code: 'captcha.wrong',
  });
});

test('one network gets pictures without end from no server, and is told when it may ask again', async () => {
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

test('a browser that had its pictures takes none from others of its network', async () => {
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

test('hostile answers are refused, and none of them is an error of the server’s', async () => {
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
