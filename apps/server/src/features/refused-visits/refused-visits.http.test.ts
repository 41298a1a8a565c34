import type { DeletedMapping, RefusedVisit } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { retryAcrossHours } from '../../testing/retry-across-hours.ts';
import { deleteOldRefusedVisits } from './index.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

const path = '/api/user/verifications/refused/';
const url = 'http://nas.localhost:8080/x';

async function list(browser: TestBrowser, query = ''): Promise<RefusedVisit[]> {
  const { body } = await browser.call('GET', `${path}${query}`);
  return (body as { results: RefusedVisit[] }).results;
}

/** What is recorded once everything that is being recorded is. */
async function expectRecorded({ owner }: Gate, expected: object[]): Promise<void> {
  await expect.poll(async () => await list(owner)).toMatchObject(expected);
}

/** Lets time pass for what is recorded. */
async function age({ db }: TestDb, interval: string): Promise<void> {
  await sql`
    update refused_visit set first_at = first_at - ${interval}::interval, last_at = last_at - ${interval}::interval,
      hour = hour - ${interval}::interval`.execute(db);
}

async function friendOf(t: TestDb, { app }: Gate, name = 'friend') {
  const id = await insertUser(t.db, name);
  return { id, browser: await app.browserOf(id) };
}

async function shareLink({ owner, mappingId }: Gate, limits: object = {}): Promise<{ id: number; code: string }> {
  const { body } = await owner.call('POST', `/api/user/records/${mappingId}/shares/`, { valid_hours: 1, ...limits });
  const { id, url: address } = body as { id: number; url: string };
  return { id, code: address.split('/s/')[1] ?? '' };
}

test('an account without the right is on record for the owner, with address, place in the product and reason', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);

  expect(await check(browser)).toMatchObject({ reason: 'not_allowed' });

  await expectRecorded(gate, [
    {
      ...{ mapping: gate.mappingId, mapping_deleted: false, router: gate.deviceId, router_name: 'NAS' },
      ...{ host: 'nas.localhost', reason: 'not_allowed', who: 'friend', ip: '127.0.0.1', count: 1 },
    },
  ]);
  expect(await list(browser)).toEqual([]);
});

test('neither who only has to log in, nor who comes in, nor who has asked for access is on record', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  await browser.call('POST', '/custom/check/request/', { url, message: '' });

  await check(gate.app.browser());
  await check(gate.owner);
  expect(await check(browser)).toMatchObject({ reason: 'not_allowed', request: 'pending' });

  const { browser: other } = await friendOf(t, gate, 'other');
  await check(other);
  await expectRecorded(gate, [{ who: 'other' }]);
});

test(
  'repeated visits are one row an hour: those within seconds count once',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t);
    const { browser } = await friendOf(t, gate);
    await check(browser);
    await expectRecorded(gate, [{ count: 1 }]);

    await check(browser);
    await t.db
      .updateTable('refusedVisit')
      .set({ lastAt: sql<Date>`now() - interval '1 minute'` })
      .execute();
    await check(browser);
    await expectRecorded(gate, [{ count: 2 }]);

    await age(t, '1 hour');
    await check(browser);
    await expectRecorded(gate, [{ count: 1 }, { count: 2 }]);
  }),
);

test(
  'each wrong password of a network counts, and the right one does not',
  retryAcrossHours(async () => {
    await using t = await openTestDb();
    await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
    const visitor = gate.app.browser();
    await check(visitor);

    for (const [index, password] of ['sesam', 'seasam'].entries()) {
      await visitor.call('POST', '/custom/check/', { url, password });
      await expectRecorded(gate, [{ reason: 'password_wrong', who: '', count: index + 1 }]);
    }
    await visitor.call('POST', '/custom/check/', { url, password: 'sesame' });
    expect(await list(gate.owner)).toMatchObject([{ count: 2 }]);
  }),
);

test('a share link that was revoked or used up is on record, under the account of who came by it', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  const used = await shareLink(gate, { max_uses: 1 });
  await gate.redeem(ticketOf(await check(gate.app.browser(), used.code)));
  expect(await check(gate.app.browser(), used.code)).toMatchObject({ reason: 'share_ended' });
  await expectRecorded(gate, [{ reason: 'share_ended', who: '' }]);

  const revoked = await shareLink(gate);
  await gate.owner.call('DELETE', `/api/user/shares/${revoked.id}/`);
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', origin: undefined };
  const followed = await browser.call('GET', `/s/${revoked.code}`, undefined, navigation);
  expect(followed).toMatchObject({ status: 410 });
  await expectRecorded(gate, [
    { reason: 'share_ended', who: 'friend' },
    { reason: 'share_ended', who: '' },
  ]);
});

test('a code that no link of the mapping ever had is no ended link', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  const made = 'x'.repeat(22);

  expect(await check(gate.app.browser(), made)).toMatchObject({ reason: 'share_ended' });
  expect(await check(browser, made)).toMatchObject({ reason: 'share_ended' });

  await expectRecorded(gate, [{ reason: 'not_allowed', who: 'friend' }]);
});

test('a visitor who was let in before has a reason of their own', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { id, browser } = await friendOf(t, gate);
  const contact = 'friend@example.com';
  await t.db.updateTable('userAccount').set({ email: contact }).where('id', '=', id).execute();
  const added = await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/members/`, { contact });
  await gate.redeem(ticketOf(await check(browser)));
  await gate.owner.call('DELETE', `/api/user/members/${(added.body as { id: number }).id}/`);

  await check(browser);

  await expectRecorded(gate, [{ reason: 'right_ended', who: 'friend' }]);
});

test('a mapping keeps its latest 200 rows', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { ownerId, mappingId, deviceId } = { ...gate, ownerId: gate.userId };
  await sql`
    insert into refused_visit (owner_id, mapping_id, device_id, host, reason, visitor, visitor_ip, user_agent, hour, last_at)
    select ${ownerId}, ${mappingId}, ${deviceId}, 'nas.localhost', 'password_wrong', 'network:' || n, '192.0.2.' || n, '',
      now(), now() - make_interval(mins => n) from generate_series(1, 200) as n`.execute(t.db);
  const { browser } = await friendOf(t, gate);

  await check(browser);

  await expect.poll(async () => (await list(gate.owner, '?limit=1'))[0]?.who).toBe('friend');
  const { body } = await gate.owner.call('GET', `${path}?limit=1&offset=199`);
  expect(body).toMatchObject({ count: 200, next: null, results: [{ ip: '192.0.2.199' }] });
});

test('open pages of the owner hear of a row, and not of each visit', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  const received: string[] = [];
  await using _ = await t.listen(
    'live',
    (payload) => void received.push(payload),
    () => undefined,
  );

  await check(browser);
  await expect.poll(() => received).toEqual([JSON.stringify({ userId: gate.userId, topic: 'verifications' })]);
  await t.db
    .updateTable('refusedVisit')
    .set({ lastAt: sql<Date>`now() - interval '1 minute'` })
    .execute();
  await check(browser);
  await expectRecorded(gate, [{ count: 2 }]);
  expect(received).toHaveLength(1);
});

test('the list is filtered by mapping, device and words', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  await check(browser);
  await expectRecorded(gate, [{ who: 'friend' }]);

  for (const query of [
    `mapping=${gate.mappingId}`,
    `router=${gate.deviceId}`,
    'search=FRIE',
    'search=127.0',
    'search=nas',
  ])
    expect(await list(gate.owner, `?${query}`)).toHaveLength(1);
  for (const query of ['router=999999', 'search=%25', 'search=nobody'])
    expect(await list(gate.owner, `?${query}`)).toEqual([]);
  const unknown = { status: 404, body: { code: 'mapping.not-found' } };
  expect(await gate.owner.call('GET', `${path}?mapping=999999`)).toMatchObject(unknown);
  expect(await browser.call('GET', `${path}?mapping=${gate.mappingId}`)).toMatchObject(unknown);
});

test('a row outlives its mapping for 90 days, and not the owner', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  await check(browser);
  await expectRecorded(gate, [{ who: 'friend' }]);

  await gate.owner.call('DELETE', `/api/user/records/${gate.mappingId}/`);
  expect(await list(gate.owner, `?mapping=${gate.mappingId}`)).toMatchObject([
    { mapping: gate.mappingId, mapping_deleted: true, router_name: 'NAS' },
  ]);
  const deleted = (await gate.owner.call('GET', '/api/user/verifications/deleted/')).body as DeletedMapping[];
  expect(deleted).toMatchObject([{ id: gate.mappingId, domain: 'nas.localhost' }]);

  await age(t, '89 days');
  await deleteOldRefusedVisits(t.db);
  expect(await list(gate.owner)).toHaveLength(1);
  await age(t, '2 days');
  await deleteOldRefusedVisits(t.db);
  expect(await list(gate.owner)).toEqual([]);
});

test('a refusal that cannot be recorded is no trouble for the visitor', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { browser } = await friendOf(t, gate);
  await sql`alter table refused_visit rename to elsewhere`.execute(t.db);

  expect(await check(browser)).toMatchObject({ reason: 'not_allowed' });
  await sql`alter table elsewhere rename to refused_visit`.execute(t.db);
});

test('while two refusals are being written, further ones are not recorded, and no request waits', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const friends: TestBrowser[] = [];
  for (const name of ['one', 'two', 'three']) friends.push((await friendOf(t, gate, name)).browser);

  await t.db.transaction().execute(async (tx) => {
    await sql`lock table refused_visit in access exclusive mode`.execute(tx);
    for (const browser of friends) expect(await check(browser)).toMatchObject({ reason: 'not_allowed' });
  });

  await expect.poll(async () => (await list(gate.owner)).map(({ who }) => who).toSorted()).toEqual(['one', 'two']);
});
