import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertUser } from '../../testing/device-fixtures.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { deleteOldFailures } from '../../http/limits/failed-attempts.ts';
import type { PlanTerms } from '../plans/index.ts';
import { makeRewardKey } from './make-keys.ts';
import { makeSome, openKeyApp, passExpiry, secrets } from './testing/key-fixtures.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';
import { testKeys } from '../../testing/apps/open-account-app.ts';
import { markKeys } from './mark-keys.ts';

const path = '/api/user/product-keys-for-user/';
const termsOf = (productId: number): PlanTerms => ({
  ...{ productId, productName: '标准版', days: 30, bandwidthBps: 4_000_000, mappingLimit: 12, appKinds: ['ssh'] },
  priceFen: 2_600,
});

async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const home = await insertHome(t.db);
  const productId = await insertProduct(t.db);
  const app = stack.use(await openKeyApp(t.db));
  const browser = await app.browserOf(home.userId);
  const opened = stack.move();
  return {
    ...{ ...home, t, db: t.db, app, browser, productId },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

type Home = Awaited<ReturnType<typeof openHome>>;

async function redeem(browser: TestBrowser, key: string, more: { router?: number; ticket?: string } = {}) {
  const { status, body, headers } = await browser.call('POST', path, { key, ...more });
  const problem = body as { code?: string };
  return { status, code: problem.code, body, retryAfter: headers['retry-after'] };
}

const plansOf = async ({ db, userId }: Pick<Home, 'db' | 'userId'>) =>
  await db.selectFrom('plan').where('userId', '=', userId).select(['id', 'deviceId', 'days']).orderBy('id').execute();

test('a key becomes a paid order with a plan of the device, once', async () => {
  await using home = await openHome();
  const [key = ''] = await makeSome(home.db, home);

  const first = await redeem(home.browser, key.toLowerCase().replaceAll('-', ' '), { router: home.deviceId });
  const second = await redeem(home.browser, key);

  expect(first).toMatchObject({
    status: 201,
    body: { kind: 'key', status: 'paid', amount_fen: 0, router: home.deviceId, product: { id: home.productId } },
  });
  expect(second).toMatchObject({ status: 409, code: 'product-key.redeemed-before' });
  expect(second.body).toMatchObject({ detail: expect.stringContaining('标准版 365 天') as string });
  const { id } = first.body as { id: number };
  expect(await plansOf(home)).toEqual([{ id, deviceId: home.deviceId, days: 365 }]);
  const list = await home.browser.call('GET', path);
  expect(list.body).toMatchObject({ count: 1, results: [{ status: 'redeemed', text: null, plan: id }] });
});

test('a second key of the same product makes the plan of the device longer', async () => {
  await using home = await openHome();
  const [one = '', other = ''] = await makeSome(home.db, { ...home, count: 2 });

  const first = await redeem(home.browser, one, { router: home.deviceId });
  const second = await redeem(home.browser, other, { router: home.deviceId });

  expect(second.body).toMatchObject({ plan: (first.body as { id: number }).id });
  const { endsAt, startsAt } = await home.db
    .selectFrom('plan')
    .select(['endsAt', 'startsAt'])
    .executeTakeFirstOrThrow();
  expect((endsAt.getTime() - startsAt.getTime()) / 86_400_000).toBe(730);
});

test('a key that does not fit the device stays unused', async () => {
  await using home = await openHome();
  const other = await insertProduct(home.db, { name: '进阶版' });
  const foreign = await insertDevice(home.db, { userId: await insertUser(home.db, 'wang'), serverId: home.serverId });
  const [one = '', same = '', third = ''] = await makeSome(home.db, { ...home, count: 3 });
  const [dearer = ''] = await makeSome(home.db, { productId: other });
  await redeem(home.browser, one, { router: home.deviceId });
  await redeem(home.browser, same, { router: home.deviceId });

  const refused = [
    await redeem(home.browser, third, { router: home.deviceId }),
    await redeem(home.browser, dearer, { router: home.deviceId }),
    await redeem(home.browser, dearer, { router: foreign }),
    await redeem(home.browser, dearer, { router: 2_000_000_000 }),
  ];
  const unbound = await redeem(home.browser, dearer);

  expect(refused.map(({ code }) => code)).toEqual([
    'plan.too-far-ahead',
    'plan.device-has-plan',
    'device.not-found',
    'device.not-found',
  ]);
  expect(unbound).toMatchObject({ status: 201, body: { router: null } });
});

test('an older key of the same product takes nothing away from the plan of the device', async () => {
  await using home = await openHome();
  const [older = ''] = await makeSome(home.db, home);
  await home.db.updateTable('product').set({ mappingLimit: 20 }).execute();
  const [newer = ''] = await makeSome(home.db, home);
  await redeem(home.browser, newer, { router: home.deviceId });

  expect(await redeem(home.browser, older, { router: home.deviceId })).toMatchObject({ code: 'plan.device-has-plan' });
  expect(await redeem(home.browser, older)).toMatchObject({ status: 201, body: { router: null } });
});

test('a key keeps what it was made with, also when its product is changed and unlisted', async () => {
  await using home = await openHome();
  const [key = ''] = await makeSome(home.db, home);
  await home.db.updateTable('product').set({ days: 1, listed: false, name: '旧版' }).execute();

  expect(await redeem(home.browser, key)).toMatchObject({
    status: 201,
    body: { product: { name: '标准版', days: 365 } },
  });
});

test('a void key and one whose time is over are refused, each in its own words', async () => {
  await using home = await openHome();
  const [ended = '', late = ''] = await makeSome(home.db, { ...home, count: 2 });
  await markKeys(
    { ...home, secrets },
    { viewer: { userId: 0, flags: { is_staff: true, is_promoter: false, is_superuser: false } }, actor: 'service' },
    { keys: [ended], status: 'void', reason: '' },
  );
  await home.db.updateTable('productKey').set({ expiresAt: new Date() }).where('status', '=', 'unused').execute();
  await passExpiry(home.db);

  expect(await redeem(home.browser, ended)).toMatchObject({ status: 409, code: 'product-key.void' });
  expect(await redeem(home.browser, late)).toMatchObject({ status: 409, code: 'product-key.expired' });
});

test.each([
  ['nothing', '', 422, 'request.invalid'],
  ['spaces', '   ', 422, 'request.invalid'],
  ['65 letters', 'A'.repeat(65), 422, 'request.invalid'],
  ['a number', 12, 422, 'request.invalid'],
  ['another script', '兑换码', 422, 'product-key.unknown'],
  ['too few letters', 'ABCDE', 422, 'product-key.unknown'],
  ['SQL', "' or 1=1 --", 422, 'product-key.unknown'],
  ['a NUL', '\u0000'.repeat(20), 422, 'product-key.unknown'],
  ['a key that was never made', '0'.repeat(20), 422, 'product-key.unknown'],
])('%s is no key', async (_what, key, status, code) => {
  await using home = await openHome();
  const reply = await home.browser.call('POST', path, { key });
  expect(reply).toMatchObject({ status, body: { code } });
});

test('a wrong check letter is no query for a key, and counts as a wrong one', async () => {
  await using home = await openHome();
  const [key = ''] = await makeSome(home.db, home);
  const wrong = key.slice(0, -1) + (key.endsWith('Z') ? 'Y' : 'Z');
  await home.db.schema.alterTable('product_key').renameTo('hidden').execute();

  const replies = [];
  for (let tries = 0; tries < 6; tries++) replies.push(await redeem(home.browser, wrong));
  await home.db.schema.alterTable('hidden').renameTo('product_key').execute();

  expect(replies.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 5 }, () => 'product-key.unknown'),
    'captcha.required',
  ]);
});

test('after five wrong keys it takes a captcha, after ten the account waits for an hour', async () => {
  await using home = await openHome();
  const [right = ''] = await makeSome(home.db, home);
  const wrong = '0'.repeat(20);
  const solve = async () => await solveCaptcha(home.db, home.browser, 'redeem');

  const first = [];
  for (let tries = 0; tries < 5; tries++) first.push((await redeem(home.browser, wrong)).code);
  const without = await redeem(home.browser, right);
  const used = await redeem(home.browser, right, { ticket: 'no ticket' });
  const further = [];
  for (let tries = 0; tries < 5; tries++) {
    further.push((await redeem(home.browser, wrong, { ticket: await solve() })).code);
  }
  const locked = await redeem(home.browser, right, { ticket: await solve() });
  await deleteOldFailures(home.db);
  await home.db
    .updateTable('failedAttempt')
    .set({ lastAt: new Date(Date.now() - 59 * 60_000) })
    .execute();
  await deleteOldFailures(home.db);
  const stillLocked = await redeem(home.browser, right, { ticket: await solve() });

  expect([...first, ...further]).toEqual(Array.from({ length: 10 }, () => 'product-key.unknown'));
  expect([without.code, used.code]).toEqual(['captcha.required', 'captcha.ticket-expired']);
  expect(locked).toMatchObject({ status: 429, code: 'product-key.locked' });
  expect(Number(locked.retryAfter)).toBeGreaterThan(3_500);
  expect(Number(locked.retryAfter)).toBeLessThanOrEqual(3_600);
  expect(stillLocked.code).toBe('product-key.locked');
});

test('keys that were used before are no wrong ones, and a right key ends the count', async () => {
  await using home = await openHome();
  const [used = '', right = '', last = ''] = await makeSome(home.db, { ...home, count: 3 });
  await redeem(home.browser, used);
  const wrong = async () => (await redeem(home.browser, '0'.repeat(20))).code;

  const before = [await wrong(), await wrong(), await wrong(), await wrong()];
  for (let tries = 0; tries < 6; tries++) await redeem(home.browser, used);
  const redeemed = await redeem(home.browser, right);
  const after = [await wrong(), await wrong(), await wrong(), await wrong()];

  expect([...before, ...after]).toEqual(Array.from({ length: 8 }, () => 'product-key.unknown'));
  expect(redeemed.status).toBe(201);
  expect((await redeem(home.browser, last)).status).toBe(201);
});

test('a reward key is among its owner’s keys until somebody redeems it', async () => {
  await using home = await openHome();
  const friend = await home.app.browserOf(await insertUser(home.db, 'wang'));
  const { text } = await home.db
    .transaction()
    .execute(
      async (tx) =>
        await makeRewardKey(tx, testKeys.sealingKey, { userId: home.userId, terms: termsOf(home.productId) }),
    );

  const before = await home.browser.call('GET', path);
  const given = await redeem(friend, text);
  const after = await home.browser.call('GET', path);

  expect(before.body).toMatchObject({ count: 1, results: [{ text, status: 'issued', plan: null }] });
  expect(given).toMatchObject({ status: 201, body: { product: { days: 30 } } });
  expect(after.body).toMatchObject({ count: 1, results: [{ text: null, status: 'redeemed', plan: null }] });
});

test('the audit log says who redeemed which key', async () => {
  await using home = await openHome();
  const [key = ''] = await makeSome(home.db, home);
  await redeem(home.browser, key);

  const entries = await home.db.selectFrom('auditEntry').selectAll().orderBy('id').execute();
  expect(entries).toMatchObject([
    { action: 'product-keys.created', after: { count: 1 } },
    { action: 'product-key.redeemed', actorId: home.userId, objectName: key.slice(-5), before: { status: 'unused' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(key);
});

test('a dump has neither a key nor its plain hash', async () => {
  await using home = await openHome();
  const [key = ''] = await makeSome(home.db, home);
  const letters = key.replaceAll('-', '');
  const row = await home.db.selectFrom('productKey').selectAll().executeTakeFirstOrThrow();

  expect(JSON.stringify({ ...row, keyHash: row.keyHash.toString('latin1') })).not.toContain(letters);
  expect(row.keySealed.includes(letters)).toBe(false);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(letters));
  expect(row.keyHash.equals(Buffer.from(digest))).toBe(false);
});
