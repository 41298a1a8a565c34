import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { findHits } from '../../../http/limits/rate-limit.ts';
import { createSecret } from '../sso-secret.ts';
import {
  confirmByPhone,
  openDesktop,
  openPhone,
  openTestSso,
  issueCode,
  type TestSso,
} from '../testing/open-test-sso.ts';

type EventsRequest = { timeout?: string; category?: string; since_time?: string };

async function fetchEvents(sso: TestSso, request: EventsRequest, headers: Record<string, string> = {}) {
  const query = new URLSearchParams({ timeout: '30', ...request });
  const reply = await sso.app.inject({ url: `/sso/events?${query.toString()}`, headers });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json<Record<string, unknown>>() };
}

const categoryOf = (state: string): string => `weixinoauth-${state}`;

test('a waiting page gets the scan and then the decision, each once and in order', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  const category = categoryOf(state);
  const phone = openPhone(sso);

  const scanned = fetchEvents(sso, { category, since_time: String(Date.now() - 60_000) });
  const oauthState = await phone.scan(image);
  const { body } = await scanned;
  expect(body).toEqual({
    events: [{ timestamp: expect.any(Number), category, data: { status: 'scanned' }, id: expect.any(String) }],
  });

  const [{ timestamp }] = body['events'] as [{ timestamp: number }];
  const confirmed = fetchEvents(sso, { category, since_time: String(timestamp) });
  await phone.returnFromWechat(oauthState, issueCode(sso));
  await phone.decide(image, 'confirmed');
  expect((await confirmed).body).toMatchObject({ events: [{ data: { status: 'confirmed' } }] });

  const all = await fetchEvents(sso, { category, since_time: String(timestamp - 1) });
  expect(all.body).toMatchObject({ events: [{ data: { status: 'scanned' } }, { data: { status: 'confirmed' } }] });
});

test('a page that waits at another server process gets the event', async () => {
  await using t = await openTestDb();
  await using one = await openTestSso(t);
  await using other = await openTestSso(t);
  const { state, image } = await openDesktop(one);

  const waiting = fetchEvents(other, { category: categoryOf(state), since_time: '0' });
  await openPhone(one).scan(image);

  expect((await waiting).body).toMatchObject({ events: [{ data: { status: 'scanned' } }] });
});

test('without an event the answer at the timeout has the timestamp for the next poll', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  const category = categoryOf(state);

  const { status, body } = await fetchEvents(sso, { timeout: '1', category, since_time: '0' });

  expect(status).toBe(200);
  expect(body).toEqual({ timeout: 'no events before timeout', timestamp: expect.any(Number) });
  await openPhone(sso).scan(image);
  const next = await fetchEvents(sso, { category, since_time: String(body['timestamp']) });
  expect(next.body).toMatchObject({ events: [{ data: { status: 'scanned' } }] });
});

test('a time in the future counts as now: earlier events are skipped, later ones are sent', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  const category = categoryOf(state);
  const phone = openPhone(sso);
  const oauthState = await phone.scan(image);
  const tomorrow = String(Date.now() + 86_400_000);

  expect((await fetchEvents(sso, { timeout: '1', category, since_time: tomorrow })).body).toHaveProperty('timeout');
  const waiting = fetchEvents(sso, { category, since_time: tomorrow });
  await expect.poll(async () => await findHits(t.db, { name: 'GET /sso/events', key: '127.0.0.1' })).toBe(2);
  await phone.returnFromWechat(oauthState);

  expect((await waiting).body).toMatchObject({ events: [{ data: { status: 'cancelled' } }] });
});

const invalidQueries: [EventsRequest, string][] = [
  [{ timeout: '0' }, 'Invalid timeout arg.  Must be 1-110.'],
  [{ timeout: '111' }, 'Invalid timeout arg.  Must be 1-110.'],
  [{ timeout: '-5' }, 'Invalid timeout arg.  Must be 1-110.'],
  [{ timeout: '1e1' }, 'Invalid timeout arg.  Must be 1-110.'],
  [{ category: 'weixinoauth-' }, 'Invalid subscription category.'],
  [{ category: 'other' }, 'Invalid subscription category.'],
  [{ category: `weixinoauth-${'x'.repeat(5000)}` }, 'Invalid subscription category.'],
  [{ since_time: 'yesterday' }, 'Invalid since_time arg.'],
  [{ since_time: '-1' }, 'Invalid since_time arg.'],
];

test('an invalid query is answered with 200 and an error', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);

  for (const [query, error] of invalidQueries) {
    const { status, body } = await fetchEvents(sso, { category: categoryOf(createSecret()), ...query });
    expect([query, status, body]).toEqual([query, 200, { error }]);
  }
});

test('pages of other origins may poll, without credentials', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  await openPhone(sso).scan(image);

  const query = { category: categoryOf(state), since_time: '0' };
  const { headers } = await fetchEvents(sso, query, {
    origin: 'https://console.example.com',
    'sec-fetch-site': 'cross-site',
  });

  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

test('one address can hold sixty waits, and other addresses are not affected', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  const answers: unknown[] = [];
  const asks = Array.from({ length: 61 }, async () => {
    const { body } = await fetchEvents(sso, { category: categoryOf(createSecret()) });
    answers.push(body);
  });
  await expect.poll(() => answers).toEqual([{ error: 'Too many clients are waiting.' }]);

  const query = new URLSearchParams({ timeout: '30', category: categoryOf(state), since_time: '0' });
  const elsewhere = sso.app.inject({ url: `/sso/events?${query.toString()}`, remoteAddress: '192.0.2.9' });
  await confirmByPhone(sso, image);

  expect((await elsewhere).json()).toHaveProperty('events');
  sso.host.endWaits();
  await Promise.all(asks);
  for (const body of answers.slice(1)) expect(body).toHaveProperty('timeout');
});

test('pages of other sites can hold ten waits per network and do not block logins from it', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { state, image } = await openDesktop(sso);
  const otherSite = { origin: 'http://nas.localhost', 'sec-fetch-site': 'same-site' };
  const answers: unknown[] = [];
  const asks = Array.from({ length: 62 }, async () => {
    const { body } = await fetchEvents(sso, { category: categoryOf(createSecret()) }, otherSite);
    answers.push(body);
  });
  const refused = Array.from({ length: 52 }, () => ({ error: 'Too many clients are waiting.' }));
  await expect.poll(() => answers).toEqual(refused);

  const own = fetchEvents(sso, { category: categoryOf(state), since_time: '0' }, { 'sec-fetch-site': 'same-origin' });
  await confirmByPhone(sso, image);

  expect((await own).body).toHaveProperty('events');
  sso.host.endWaits();
  await Promise.all(asks);
});

test('too many requests and database errors are answered with 200 and an error', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const category = categoryOf(createSecret());
  await t.db
    .insertInto('rateCount')
    .values({ key: 'GET /sso/events 127.0.0.1', hits: 600, endsAt: new Date(Date.now() + 60_000) })
    .execute();

  expect(await fetchEvents(sso, { category })).toMatchObject({ status: 200, body: { error: 'Too many requests.' } });
  // Pages of other sites are counted separately, so that they cannot block logins.
  const otherSite = { origin: 'http://nas.localhost', 'sec-fetch-site': 'same-site' };
  expect((await fetchEvents(sso, { timeout: '1', category }, otherSite)).body).toHaveProperty('timeout');
  await t.db.deleteFrom('rateCount').execute();
  await sql`alter table sso_login rename to sso_login_away`.execute(t.db);
  const failed = await fetchEvents(sso, { category });
  await sql`alter table sso_login_away rename to sso_login`.execute(t.db);
  expect(failed).toMatchObject({ status: 200, body: { error: 'Internal error.' } });
});
