import type { CaptchaChallenge } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { answerChallenge, captchaRoutes, fetchChallenge } from './testing/captcha-calls.ts';

// Who gets a gentle kind, which a script sometimes guesses, and what keeps a script from choosing which one to answer.

const gentle = expect.stringMatching(/^(slide|drag|rotate)$/);
const expired = { status: 422, body: { code: 'captcha.expired' } };
const ask = async (browser: TestBrowser, query = 'purpose=login') => await fetchChallenge(browser, query);

/** From another network than the other browsers. */
async function askFrom(ip: string, browser: TestBrowser, query = 'purpose=login'): Promise<CaptchaChallenge> {
  const reply = await browser.call('GET', `/captcha/?${query}`, undefined, { 'x-forwarded-for': ip });
  expect(reply.status, reply.text).toBe(200);
  return reply.body as CaptchaChallenge; // parsed by the contract before it was sent
}

async function setCount(db: Db, key: string, hits: number): Promise<void> {
  const endsAt = new Date(Date.now() + 60_000);
  await db.insertInto('rateCount').values({ key, hits, endsAt }).execute();
}

/** The seconds until the count ends. */
async function secondsLeft(db: Db, key: string): Promise<number> {
  const { endsAt } = await db.selectFrom('rateCount').select('endsAt').where('key', '=', key).executeTakeFirstOrThrow();
  return (endsAt.getTime() - Date.now()) / 1000;
}

test('of the gentle kinds two in a row are needed', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const solve = async () => await answerChallenge(t.db, browser, (await ask(browser)).key);

  expect((await solve()).body).toMatchObject({ code: 'captcha.once-more' });
  expect(await solve()).toMatchObject({ status: 200, body: { ticket: expect.any(String) } });
  expect((await solve()).body).toMatchObject({ code: 'captcha.once-more' });
});

test('browsers of one network that solve their challenges keep getting gentle ones', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));

  for (let person = 0; person < 6; person++) {
    const browser = app.browser();
    for (const status of [422, 200]) {
      const challenge = await ask(browser);
      expect(challenge).toMatchObject({ type: gentle });
      expect(await answerChallenge(t.db, browser, challenge.key)).toMatchObject({ status });
    }
  }
});

test('a wrong answer invalidates the right one before, and the network gets the strong kind for an hour', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const answer = async (off: number) => await answerChallenge(t.db, browser, (await ask(browser)).key, off);

  expect((await answer(0)).body).toMatchObject({ code: 'captcha.once-more' });
  expect((await answer(30)).body).toMatchObject({ code: 'captcha.wrong' });
  for (const each of [browser, app.browser(), app.browser()]) expect((await ask(each)).type).toBe('click');
  expect(Math.ceil((await secondsLeft(t.db, 'captcha wrong from 127.0.0.1')) / 60)).toBe(60);
  await t.db.deleteFrom('rateCount').execute();
  await t.db
    .updateTable('captchaChallenge')
    .set({ expiresAt: new Date(0) })
    .where('type', '=', 'click')
    .execute();
  expect((await answer(0)).body).toMatchObject({ code: 'captcha.once-more' });
});

test('a wrong answer expires the network’s open gentle challenge, but not strong ones', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const [first, second, third] = [app.browser(), app.browser(), app.browser()];
  const open = await ask(first);
  const [wrong, strong] = [await ask(second), await ask(third)];

  expect((await answerChallenge(t.db, second, wrong.key, 60)).body).toMatchObject({ code: 'captcha.wrong' });

  expect(await answerChallenge(t.db, first, open.key)).toMatchObject(expired);
  expect((await answerChallenge(t.db, third, strong.key)).status).toBe(200);
});

test('of concurrent wrong answers from one network one is judged, the others are expired', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  for (let round = 0; round < 10; round++) {
    const browsers = [app.browser(), app.browser(), app.browser()];
    const keys = await Promise.all(browsers.map(async (each, i) => (await askFrom(`203.0.113.${i}`, each)).key));
    // A network gets one gentle challenge at a time, so the test moves three into one network.
    await t.db.updateTable('captchaChallenge').set({ network: '127.0.0.1' }).where('key', 'in', keys).execute();

    const replies = await Promise.all(
      browsers.map(async (each, i) => await answerChallenge(t.db, each, keys[i] ?? '', 30)),
    );

    const codes = replies.map(({ body }) => (body as { code: string }).code);
    expect(codes.toSorted()).toEqual(['captcha.expired', 'captcha.expired', 'captcha.wrong']);
    await t.db.deleteFrom('rateCount').execute();
  }
});

test('a network has one open gentle challenge at a time, for all its browsers and purposes', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const [first, second] = [app.browser(), app.browser()];
  const open = await ask(first);

  expect(open).toMatchObject({ type: gentle });
  expect((await ask(second)).type).toBe('click');
  expect((await ask(first, 'purpose=gate_password')).type).toBe('click');
  expect(await askFrom('203.0.113.9', second)).toMatchObject({ type: gentle });
  await answerChallenge(t.db, first, open.key);
  expect(await ask(app.browser())).toMatchObject({ type: gentle });
});

test('of ten concurrent requests from one network one gets a gentle challenge', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));

  const shown = await Promise.all(Array.from({ length: 10 }, async () => await ask(app.browser())));

  expect(shown.filter(({ type }) => type !== 'click')).toHaveLength(1);
});

test('a new picture expires the browser’s unanswered one for the same purpose', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const [skipped, other] = [await ask(browser), await ask(browser, 'purpose=sms')];

  await ask(browser);

  expect(await answerChallenge(t.db, browser, skipped.key)).toMatchObject(expired);
  expect((await answerChallenge(t.db, browser, other.key)).status).toBe(200);
});

test('after three unsolved gentle pictures the network gets the strong kind, for an hour', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();

  for (let picture = 0; picture < 3; picture++) expect(await ask(browser)).toMatchObject({ type: gentle });
  expect((await ask(browser)).type).toBe('click');
  expect((await ask(app.browser())).type).toBe('click');
  expect(Math.ceil((await secondsLeft(t.db, 'captcha unsolved by 127.0.0.1')) / 60)).toBe(60);
});

test('the replacement of the second picture is of the strong kind, and one right answer to it is enough', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const first = await ask(browser);
  expect((await answerChallenge(t.db, browser, first.key)).body).toMatchObject({ code: 'captcha.once-more' });
  expect(await ask(browser)).toMatchObject({ type: gentle });

  expect((await ask(browser)).type).toBe('click');
  const another = await ask(browser);
  expect(another.type).toBe('click');
  expect((await answerChallenge(t.db, browser, another.key)).status).toBe(200);
});

test('a caller can request the strong kind, but no particular gentle kind', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();
  const shown = new Set<string>();
  for (let network = 0; network < 30; network++) {
    shown.add((await askFrom(`203.0.113.${network}`, browser, 'purpose=login&type=drag')).type);
  }

  expect(shown.size).toBeGreaterThan(1);
  expect((await ask(browser, 'purpose=login&type=click')).type).toBe('click');
});

test('all networks get the strong kind after more than sixty wrong answers in a minute', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  await setCount(t.db, 'captcha wrong from all', 60);
  expect(await ask(app.browser())).toMatchObject({ type: gentle });
  await t.db.deleteFrom('captchaChallenge').execute();

  await t.db.updateTable('rateCount').set({ hits: 61 }).where('key', '=', 'captcha wrong from all').execute();

  expect((await ask(app.browser())).type).toBe('click');
});

test('a wrong answer counts for all networks for a minute', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, captchaRoutes(t.db));
  const browser = app.browser();

  await answerChallenge(t.db, browser, (await ask(browser, 'purpose=sms')).key, 60);

  const left = await secondsLeft(t.db, 'captcha wrong from all');
  expect(left).toBeLessThanOrEqual(60);
  expect(left).toBeGreaterThan(30);
});
