import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { hashSecret } from '../../hash-secret.ts';
import { insertAccount, openAccountApp, testKeys } from '../../testing/apps/open-account-app.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { createUser } from '../users/index.ts';
import { registerInvitationRewardRoutes } from './reward-routes.ts';
import { insertClaimable, insertInvitee, insertOnlineDevice, insertPayment } from './testing/invitation-fixtures.ts';

const affPath = '/api/marketing/invitation_aff/';
const rewardsPath = '/api/marketing/invitation_rewards/';
const bindPath = '/api/marketing/bind_invitation/';

async function openApp(db: Db, billing: 'off' | 'on' = 'on') {
  const log = pino({ level: 'silent' });
  const deps = { db, log, sealingKey: testKeys.sealingKey, publicUrl: 'https://example.com/' };
  return await openTestApp(db, (app) => registerInvitationRewardRoutes(app, deps), { billing });
}

async function readCode(browser: TestBrowser): Promise<string> {
  return ((await browser.call('GET', affPath)).body as { code: string }).code;
}

async function findInviter(db: Db, userId: number) {
  return await db
    .selectFrom('userAccount')
    .select(['inviterId', 'invitedBy'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

test('an account gets its code at the first call, and keeps it', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const li = await app.browserOf(await insertUser(t.db, 'li'));

  const replies = await Promise.all([1, 2, 3].map(async () => await li.call('GET', affPath)));

  const codes = new Set(replies.map(({ body }) => (body as { code: string }).code));
  expect(codes.size).toBe(1);
  const code = [...codes][0] ?? '';
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(replies[0]?.body).toMatchObject({
    ...{ link: `https://example.com/#/login?aff=${code}`, invited_by: '', invited_count: 0, invitees: [] },
    ...{ pending_days: 0, days_per_event: { joined: 7, paid: 30 }, monthly_cap: 20 },
  });
});

test('the page counts who came, with masked names', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const inviterId = await insertUser(t.db, 'li');
  await insertInvitee(t.db, inviterId, '用户abcd2345');
  const payer = await insertInvitee(t.db, inviterId, '王五');
  await insertOnlineDevice(t.db, payer);
  await insertPayment(t.db, payer, await insertProduct(t.db));
  const rewardId = await insertClaimable(t.db, { userId: inviterId });
  const li = await app.browserOf(inviterId);

  expect((await li.call('GET', affPath)).body).toMatchObject({
    ...{ invited_count: 2, online_count: 1, paid_count: 1, claimable_days: 7 },
    invitees: [
      { username: '王***', has_been_online: true, has_paid: true },
      { username: '用***5', has_been_online: false, has_paid: false },
    ],
  });
  expect((await li.call('GET', rewardsPath)).body).toMatchObject({
    count: 1,
    results: [{ id: rewardId, status: 'claimable', invitee: '小***王' }],
  });
  expect(await li.call('POST', rewardsPath, { id: rewardId, as: 'days' })).toMatchObject({
    status: 422,
    body: { errors: { router: ['请选择设备'] } },
  });
  const claimed = await li.call('POST', rewardsPath, { id: rewardId, as: 'key' });
  expect(claimed).toMatchObject({ status: 201, body: { reward: { claimed_as: 'key' }, key: expect.any(String) } });
  expect((await li.call('GET', affPath)).body).toMatchObject({ claimable_days: 0, claimed_days: 7 });
});

test('a code is entered once, by an account that joined later, within 7 days and before paying', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const firstId = await insertUser(t.db, 'first');
  const secondId = await insertUser(t.db, 'second');
  const [first, second] = [await app.browserOf(firstId), await app.browserOf(secondId)];
  const [ofFirst, ofSecond] = [await readCode(first), await readCode(second)];
  const enter = async (browser: TestBrowser, code: string) => await browser.call('POST', bindPath, { code });

  expect(await enter(second, 'ABCDEFGH')).toMatchObject({ status: 422, body: { code: 'invitation-code.unknown' } });
  expect(await enter(second, ofSecond)).toMatchObject({ body: { code: 'invitation-code.own' } });
  expect(await enter(first, ofSecond)).toMatchObject({ body: { code: 'invitation-code.joined-later' } });
  const typed = ` ${ofFirst.slice(0, 4).toLowerCase()}-${ofFirst.slice(4)} `;
  expect(await enter(second, typed)).toMatchObject({
    status: 200,
    body: { invited_by: 'f***t', can_bind_until: null },
  });
  expect(await enter(second, ofFirst)).toMatchObject({ status: 409, body: { code: 'invitation-code.bound' } });
  expect((await findInviter(t.db, secondId)).inviterId).toBe(firstId);

  const payerId = await insertUser(t.db, 'payer');
  await insertPayment(t.db, payerId, await insertProduct(t.db));
  const lateId = await insertUser(t.db, 'late');
  const createdAt = new Date(Date.now() - 8 * 86_400_000);
  await t.pool.query('update user_account set created_at = $1 where id = $2', [createdAt, lateId]);
  for (const id of [payerId, lateId]) {
    const browser = await app.browserOf(id);
    expect((await browser.call('GET', affPath)).body).toMatchObject({ can_bind_until: null });
    expect(await enter(browser, ofFirst)).toMatchObject({ body: { code: 'invitation-code.too-late' } });
  }
});

test('two codes that are entered at once: one counts', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const codes: string[] = [];
  for (const name of ['first', 'second']) codes.push(await readCode(await app.browserOf(await insertUser(t.db, name))));
  const browser = await app.browserOf(await insertUser(t.db, 'third'));

  const replies = await Promise.all(codes.map(async (code) => await browser.call('POST', bindPath, { code })));

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('the code of a link counts when the account is made by a phone number or WeChat', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const inviterId = await insertUser(t.db, 'li');
  const code = await readCode(await app.browserOf(inviterId));
  const { sealingKey } = testKeys;

  for (const [aff, expected] of [
    [code.toLowerCase(), inviterId],
    ['ABCDEFGH', null],
    ['friend', null],
    [undefined, null],
  ] as const) {
    const userId = await t.db.transaction().execute(async (tx) => await createUser(tx, { sealingKey, aff }));
    expect(await findInviter(t.db, userId)).toEqual({ inviterId: expected, invitedBy: aff ?? '' });
  }
});

test('the code of a link counts when the account is made by an invitation', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  await using accounts = await openAccountApp(t.db);
  const inviterId = await insertAccount(t.db, { isStaff: true });
  const aff = await readCode(await app.browserOf(inviterId));
  const token = 'x'.repeat(22);
  await t.db
    .insertInto('invitation')
    .values({
      ...{ tokenHash: hashSecret(token), purpose: 'join', invitedBy: inviterId, email: '', note: '' },
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    .execute();

  const body = { token, username: '小王', new_password: 'six green lamps 27', aff, accepted_terms: true };
  const visitor = accounts.browser();
  await visitor.call('GET', '/api/profile/'); // sets the CSRF cookie
  expect(await visitor.call('POST', '/api/invitation/join/', body)).toMatchObject({ status: 200 });

  const { id } = await t.db
    .selectFrom('userAccount')
    .select('id')
    .where('username', '=', '小王')
    .executeTakeFirstOrThrow();
  expect(await findInviter(t.db, id)).toEqual({ inviterId, invitedBy: aff });
});

test('without billing none of it exists', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db, 'off');
  const li = await app.browserOf(await insertUser(t.db, 'li'));
  for (const [method, path, body] of [
    ['GET', affPath, undefined],
    ['GET', rewardsPath, undefined],
    ['POST', rewardsPath, { id: 1, as: 'key' }],
    ['POST', bindPath, { code: 'ABCDEFGH' }],
  ] as const) {
    expect(await li.call(method, path, body)).toMatchObject({ body: { code: 'billing.off' } });
  }
});
