import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { testKeys } from '../../testing/apps/open-account-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import type { HttpCall } from '../../http/session.ts';
import { expireKeys } from './expire-keys.ts';
import { deliverKeys } from './make-keys.ts';
import type { AuditActor } from '../audit/index.ts';
import { markKeys, voidKeysOfOrder } from './mark-keys.ts';
import { redeemKey } from './redeem-key.ts';
import { makeSome, openKeyApp, passExpiry, readCounts, secrets } from './testing/key-fixtures.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';

const staff = { userId: 0, flags: { is_staff: true, is_promoter: false, is_superuser: false } };
const req = { ip: '203.0.113.7', cookies: {}, headers: {} } as HttpCall['req']; // reads no more

/** All from one address. */
async function redeem(db: Db, userId: number, typed: string): Promise<number> {
  const redemption = { userId, typed, deviceId: null, ticket: undefined, req };
  return await redeemKey({ db, secrets }, redemption);
}

async function voidOne(db: Db, key: string) {
  return await markKeys(
    { db, secrets },
    { viewer: staff, actor: 'service' },
    { keys: [key], status: 'void', reason: '' },
  );
}

const lockKeys = async (tx: Db) => await tx.selectFrom('productKey').select('id').forUpdate().execute();

test('of 200 accounts that redeem one key at once, one gets a plan', { timeout: 60_000 }, async () => {
  await using t = await openTestDb();
  const productId = await insertProduct(t.db);
  const [key = ''] = await makeSome(t.db, { productId });
  const users = await t.db
    .insertInto('userAccount')
    .values(Array.from({ length: 200 }, (_, n) => ({ username: `user-${n}` })))
    .returning('id')
    .execute();

  const tries = await Promise.allSettled(users.map(async ({ id }) => await redeem(t.db, id, key)));

  const refused = tries.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code as string);
  expect(refused).toEqual(Array.from({ length: 199 }, () => 'product-key.redeemed'));
  expect(await t.db.selectFrom('plan').select('id').execute()).toHaveLength(1);
  expect(await t.db.selectFrom('productOrder').select('id').execute()).toHaveLength(1);
  expect(await t.db.selectFrom('failedAttempt').select('key').execute()).toEqual([]);
  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([]);
  const { kept, counted } = await readCounts(t.db);
  expect(kept).toEqual(counted);
});

/** How many tries ended in which way. */
async function countOutcomes(tries: readonly Promise<number>[]): Promise<Record<string, number>> {
  const outcomes = Map.groupBy(await Promise.allSettled(tries), (result) =>
    result.status === 'rejected' ? (result.reason.code as string) : 'redeemed',
  );
  return Object.fromEntries(Array.from(outcomes, ([code, all]) => [code, all.length]));
}

test('of many tries of one account at once, one gets a plan, and none counts as wrong', async () => {
  await using t = await openTestDb();
  const [key = '', next = ''] = await makeSome(t.db, { productId: await insertProduct(t.db), count: 2 });
  const userId = await insertUser(t.db, 'li');

  const tries = Array.from({ length: 50 }, async () => await redeem(t.db, userId, key));

  expect(await countOutcomes(tries)).toEqual({ redeemed: 1, 'product-key.redeemed-before': 49 });
  expect(await t.db.selectFrom('plan').select('id').execute()).toHaveLength(1);
  await redeem(t.db, userId, next);
});

test('of many wrong keys of one account at once, five are looked for; another account has its own five', async () => {
  await using t = await openTestDb();
  const [key = ''] = await makeSome(t.db, { productId: await insertProduct(t.db) });
  const [guesser, otherUser] = [await insertUser(t.db, 'li'), await insertUser(t.db, 'wang')];
  const wrong = '0'.repeat(20);

  const tries = Array.from({ length: 30 }, async () => await redeem(t.db, guesser, wrong));

  expect(await countOutcomes(tries)).toEqual({ 'product-key.unknown': 5, 'captcha.required': 25 });
  await expect(redeem(t.db, otherUser, wrong)).rejects.toMatchObject({ code: 'product-key.unknown' });
  await redeem(t.db, otherUser, key);
  const { failures } = await t.db.selectFrom('failedAttempt').select('failures').executeTakeFirstOrThrow();
  expect(failures).toBe(5); // those that were refused for a captcha do not lead to the lock
});

test('of wrong keys from one address, a hundred are looked for, also when its accounts try at once', async () => {
  await using t = await openTestDb();
  await insertProduct(t.db);
  const users = await Promise.all(Array.from({ length: 20 }, async (_, n) => await insertUser(t.db, `user-${n}`)));
  const wrong = '0'.repeat(20);
  await expect(redeem(t.db, users[0] ?? 0, wrong)).rejects.toMatchObject({ code: 'product-key.unknown' });
  await t.db.updateTable('rateCount').set({ hits: 97 }).where('key', 'like', 'failed redeem from%').execute();

  const tries = users.map(async (userId) => await redeem(t.db, userId, wrong));

  expect(await countOutcomes(tries)).toEqual({ 'product-key.unknown': 3, 'captcha.required': 17 });
});

test('many keys of one place that are redeemed at once are all counted', { timeout: 60_000 }, async () => {
  await using t = await openTestDb();
  const keys = await makeSome(t.db, { productId: await insertProduct(t.db), count: 60 });
  const users = await Promise.all(keys.map(async (_, n) => await insertUser(t.db, `user-${n}`)));

  await Promise.all(keys.map(async (key, n) => await redeem(t.db, users[n] ?? 0, key)));

  const { kept, counted } = await readCounts(t.db);
  expect(kept).toEqual([{ placeId: null, status: 'redeemed', keyCount: 60, worthFen: 156_000 }]);
  expect(kept).toEqual(counted);
});

test('a key that is made void while somebody redeems it is redeemed', async () => {
  await using t = await openTestDb();
  const [key = ''] = await makeSome(t.db, { productId: await insertProduct(t.db) });
  const userId = await insertUser(t.db, 'li');

  const [redeemed, marked] = await runBothWhileLocked(
    t,
    lockKeys,
    async () => await redeem(t.db, userId, key),
    async () => await voidOne(t.db, key),
  );

  expect(redeemed.status).toBe('fulfilled');
  expect(marked).toMatchObject({ value: { changed: 0, skipped: [{ key, code: 'product-key.redeemed' }] } });
});

test('a key that is redeemed while somebody makes it void is void', async () => {
  await using t = await openTestDb();
  const [key = ''] = await makeSome(t.db, { productId: await insertProduct(t.db) });
  const userId = await insertUser(t.db, 'li');

  const [marked, redeemed] = await runBothWhileLocked(
    t,
    lockKeys,
    async () => await voidOne(t.db, key),
    async () => await redeem(t.db, userId, key),
  );

  expect(marked).toMatchObject({ value: { changed: 1 } });
  expect(redeemed).toMatchObject({ reason: { code: 'product-key.void' } });
  expect(await t.db.selectFrom('plan').select('id').execute()).toEqual([]);
});

test('two calls that mark the same keys in another order both end', async () => {
  await using t = await openTestDb();
  const keys = await makeSome(t.db, { productId: await insertProduct(t.db), count: 50 });
  const mark = async (order: string[]) =>
    await markKeys(
      { db: t.db, secrets },
      { viewer: staff, actor: 'service' },
      { keys: order, status: 'issued', reason: '' },
    );

  const marked = await Promise.all([mark(keys), mark(keys.toReversed()), mark(keys), mark(keys.toReversed())]);

  expect(marked.map(({ changed }) => changed)).toEqual([50, 50, 50, 50]);
  const { kept, counted } = await readCounts(t.db);
  expect(kept).toEqual(counted);
});

const lockOne = async (tx: Db, key: string) =>
  await tx.selectFrom('productKey').where('hint', '=', key.slice(-5)).select('id').forUpdate().execute();

async function insertBulkOrder(db: Db, productId: number, userId: number | null = null) {
  const { id: orderId } = await db
    .insertInto('productOrder')
    .values({
      ...{
        userId,
        number: 'T1',
        kind: 'bulk',
        status: 'paid',
        productId,
        productName: '标准版',
        days: 365,
        priceFen: 2_600,
      },
      ...{ bandwidthBps: 4_000_000, mappingLimit: 12, appKinds: [], quantity: 3, amountFen: 7_000 },
      ...{ closesAt: new Date(), paidAt: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const terms = {
    productId,
    productName: '标准版',
    days: 365,
    bandwidthBps: 4_000_000,
    mappingLimit: 12,
    appKinds: [],
  };
  const order = { orderId, terms: { ...terms, priceFen: 2_600 }, quantity: 3, placeId: null };
  await db.transaction().execute(async (tx) => await deliverKeys(tx, testKeys.sealingKey, order));
  const rows = await db.selectFrom('productKey').select(['keyHash', 'keySealed']).orderBy('id').execute();
  return { orderId, keys: rows.map((row) => secrets.open(row)) };
}

test('keys of a bulk order without a place are among the buyer’s own', async () => {
  await using t = await openTestDb();
  const buyerId = await insertUser(t.db, 'zhao');
  const { keys } = await insertBulkOrder(t.db, await insertProduct(t.db), buyerId);
  await using app = await openKeyApp(t.db);
  const browser = await app.browserOf(buyerId);

  const { body } = await browser.call('GET', '/api/user/product-keys-for-user/');

  expect(body).toMatchObject({ count: 3, results: keys.toReversed().map((text) => ({ text, status: 'unused' })) });
});

const takeBack = async (db: Db, orderId: number, actor: AuditActor = 'service') =>
  await db.transaction().execute(async (tx) => await voidKeysOfOrder(tx, orderId, actor));

test('a full refund makes the keys of a bulk order void', async () => {
  await using t = await openTestDb();
  const { orderId, keys } = await insertBulkOrder(t.db, await insertProduct(t.db));
  const userId = await insertUser(t.db, 'li');

  await takeBack(t.db, orderId, { userId, ip: '192.0.2.1' });
  await takeBack(t.db, orderId);

  expect(keys).toHaveLength(3);
  const marked = t.db.selectFrom('auditEntry').where('action', '=', 'product-keys.marked');
  expect(await marked.select(['actor', 'after']).execute()).toMatchObject([
    { actor: 'li', after: { status: 'void', reason: '订单已全额退款' } },
  ]);
  await expect(redeem(t.db, userId, keys[0] ?? '')).rejects.toMatchObject({ code: 'product-key.void' });
  expect((await readCounts(t.db)).kept).toEqual([{ placeId: null, status: 'void', keyCount: 3, worthFen: 7_800 }]);
});

test('a key that is redeemed while its order is refunded refuses the refund', async () => {
  await using t = await openTestDb();
  const { orderId, keys } = await insertBulkOrder(t.db, await insertProduct(t.db));
  const userId = await insertUser(t.db, 'li');

  const [redeemed, refunded] = await runBothWhileLocked(
    t,
    async (tx) => await lockOne(tx, keys[1] ?? ''),
    async () => await redeem(t.db, userId, keys[1] ?? ''),
    async () => await takeBack(t.db, orderId),
  );

  expect(redeemed.status).toBe('fulfilled');
  expect(refunded).toMatchObject({ reason: { code: 'refund.keys-redeemed' } });
  expect((await readCounts(t.db)).kept).toMatchObject([{ status: 'redeemed' }, { status: 'unused', keyCount: 2 }]);
});

test('the job writes down which keys have expired, and leaves all others', async () => {
  await using t = await openTestDb();
  const productId = await insertProduct(t.db);
  const [used = ''] = await makeSome(t.db, { productId, count: 3 });
  await t.db
    .updateTable('productKey')
    .set({ expiresAt: new Date(Date.now() + 60_000) })
    .execute();
  await redeem(t.db, await insertUser(t.db, 'li'), used);
  await makeSome(t.db, { productId, count: 2 });

  await expireKeys(t.db);
  const before = await readCounts(t.db);
  await passExpiry(t.db);
  await expireKeys(t.db);
  await expireKeys(t.db);

  expect(before.kept).toMatchObject([{ status: 'redeemed' }, { status: 'unused', keyCount: 4 }]);
  const { kept, counted } = await readCounts(t.db);
  expect(kept).toMatchObject([
    { status: 'expired', keyCount: 2 },
    { status: 'redeemed', keyCount: 1 },
    { status: 'unused', keyCount: 2 },
  ]);
  expect(kept).toEqual(counted);
  const entries = t.db.selectFrom('auditEntry').where('action', '=', 'product-keys.expired').select('after');
  expect(await entries.execute()).toEqual([{ after: { count: 2 } }]);
});

test('no statement makes a redeemed key anything else, or deletes a key', async () => {
  await using t = await openTestDb();
  const [key = ''] = await makeSome(t.db, { productId: await insertProduct(t.db) });
  await redeem(t.db, await insertUser(t.db, 'li'), key);

  const change = t.db.updateTable('productKey').set({ status: 'unused', redeemedAt: null, orderId: null });
  await expect(change.execute()).rejects.toThrow(/is redeemed/);
  await expect(t.db.deleteFrom('productKey').execute()).rejects.toThrow(/product_key/);
});
