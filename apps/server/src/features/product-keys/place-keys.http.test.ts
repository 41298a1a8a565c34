import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Place, PlaceKey } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { csvText } from '../../http/csv.ts';
import { exportKeys } from './export-keys.ts';
import { insertPlace, insertPromoter, makeSome, openKeyApp, secrets } from './testing/key-fixtures.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';

const listPath = '/api/user/product-keys-for-place/';
const exportPath = `${listPath}export/`;
const markPath = '/api/mark_product_keys_as_status/';
const placesPath = '/api/manage/places/';
const makePath = '/api/manage/product-keys/';

/** Two promoters with a place each, staff, and a user; two keys for each place and two without one. */
async function openShop() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const { db } = t;
  const app = stack.use(await openKeyApp(db));
  const productId = await insertProduct(db);
  const ids = {
    staff: await insertAccount(db, { username: 'staff', isStaff: true }),
    zhao: await insertPromoter(db, 'zhao'),
    qian: await insertPromoter(db, 'qian'),
    user: await insertUser(db, 'li'),
  };
  const places = { zhao: await insertPlace(db, ids.zhao, '赵店'), qian: await insertPlace(db, ids.qian, '钱店') };
  const keys = {
    zhao: await makeSome(db, { productId, place: places.zhao, count: 2 }),
    qian: await makeSome(db, { productId, place: places.qian, count: 2 }),
    none: await makeSome(db, { productId, count: 2 }),
  };
  const browsers = {
    staff: await app.browserOf(ids.staff),
    zhao: await app.browserOf(ids.zhao),
    user: await app.browserOf(ids.user),
  };
  const opened = stack.move();
  return {
    ...{ t, db, app, productId, ids, places, keys, browsers },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

async function list(browser: TestBrowser, query = '') {
  const { status, body } = await browser.call('GET', `${listPath}?${query}`);
  if (status !== 200) throw new Error(`the list answered ${status}`);
  const { count, results } = body as { count: number; results: PlaceKey[] };
  return { count, texts: results.map(({ text }) => text), results };
}

test('a promoter sees and marks the keys of their own places only', async () => {
  await using shop = await openShop();
  const { zhao, staff } = shop.browsers;

  const own = await list(zhao);
  const foreign = await list(zhao, `place=${shop.places.qian}`);
  const byText = await list(zhao, `search=${shop.keys.qian[0]}`);
  const marked = await zhao.call('POST', markPath, {
    keys: [...shop.keys.zhao, ...shop.keys.qian, ...shop.keys.none],
    status: 'issued',
    reason: '展会',
  });

  expect(own).toMatchObject({ count: 2, texts: shop.keys.zhao.toReversed() });
  expect([foreign.count, foreign.texts, byText.count, byText.texts]).toEqual([0, [], 0, []]);
  const unknown = [...shop.keys.qian, ...shop.keys.none].map((key) => ({ key, code: 'product-key.unknown' }));
  expect(marked).toMatchObject({ status: 200, body: { changed: 2, skipped: unknown } });
  expect(await list(staff, 'status=issued')).toMatchObject({ count: 2, results: [{ note: '展会' }, { note: '展会' }] });
  expect((await list(staff)).count).toBe(6);
});

test('a promoter sees their own places, staff all', async () => {
  await using shop = await openShop();
  const read = async (browser: TestBrowser) =>
    (await browser.call('GET', '/api/user/product-key-places/')).body as { count: number; results: Place[] };

  const own = await read(shop.browsers.zhao);
  const all = await read(shop.browsers.staff);

  const counts = { unused: 2, issued: 0, redeemed: 0, void: 0, expired: 0 };
  expect(own).toMatchObject({ count: 1, results: [{ name: '赵店', promoter: { username: 'zhao' }, counts }] });
  expect(all.results.map(({ name }) => name)).toEqual(['钱店', '赵店']);
});

test('a promoter whose place was given to another sees nothing of it any more', async () => {
  await using shop = await openShop();
  await shop.browsers.staff.call('PATCH', `${placesPath}${shop.places.zhao}/`, { promoter: shop.ids.qian });
  expect((await list(shop.browsers.zhao)).count).toBe(0);
});

test.each([
  ['POST', makePath, { product_id: 1, count: 1 }],
  ['GET', placesPath, undefined],
  ['POST', placesPath, { name: '店' }],
  ['PATCH', `${placesPath}1/`, {}],
  ['DELETE', `${placesPath}1/`, undefined],
] as const)('%s %s is for staff', async (method, url, body) => {
  await using shop = await openShop();
  const codes = [];
  for (const browser of [shop.browsers.zhao, shop.browsers.user, shop.app.browser()]) {
    await browser.call('GET', placesPath);
    codes.push(((await browser.call(method, url, body)).body as { code: string }).code);
  }
  expect(codes).toEqual(['session.forbidden', 'session.forbidden', 'session.required']);
});

test.each([
  ['GET', listPath, undefined],
  ['GET', exportPath, undefined],
  ['GET', '/api/user/product-key-places/', undefined],
  ['POST', markPath, { keys: ['A'], status: 'void' }],
] as const)('%s %s is for management users', async (method, url, body) => {
  await using shop = await openShop();
  const { user, zhao } = shop.browsers;
  expect(await user.call(method, url, body)).toMatchObject({ status: 403, body: { code: 'session.forbidden' } });
  expect((await zhao.call(method, url, body)).status).toBe(200);
});

test('each key is marked as far as it can be, and named once', async () => {
  await using shop = await openShop();
  const { staff, user } = shop.browsers;
  const [redeemed = '', ended = ''] = shop.keys.zhao;
  const [late = '', open = ''] = shop.keys.qian;
  await user.call('POST', '/api/user/product-keys-for-user/', { key: redeemed });
  await staff.call('POST', markPath, { keys: [ended], status: 'void' });
  const lateHint = late.slice(-5);
  await shop.db
    .updateTable('productKey')
    .set({ expiresAt: new Date(0) })
    .where('hint', '=', lateHint)
    .execute();
  const lower = open.toLowerCase().replaceAll('-', '');

  const keys = [redeemed, ended, late, open, lower, 'nonsense', '0'.repeat(20), open];
  const reply = await staff.call('POST', markPath, { keys, status: 'issued', reason: '' });

  const { changed, skipped } = reply.body as { changed: number; skipped: { key: string; code: string }[] };
  expect(changed).toBe(1);
  expect(Object.fromEntries(skipped.map(({ key, code }) => [key, code]))).toEqual({
    [redeemed]: 'product-key.redeemed',
    [ended]: 'product-key.void',
    [late]: 'product-key.expired',
    nonsense: 'product-key.unknown',
    ['0'.repeat(20)]: 'product-key.unknown',
  });
  expect(skipped).toHaveLength(5);
  const entry = shop.db.selectFrom('auditEntry').where('action', '=', 'product-keys.marked').orderBy('id', 'desc');
  expect(await entry.selectAll().executeTakeFirst()).toMatchObject({
    actor: 'staff',
    objectName: open.slice(-5),
    before: { keys: [{ status: 'unused' }] },
    after: { status: 'issued', reason: '' },
  });
});

test.each([
  ['no keys', { keys: [], status: 'void' }],
  ['1001 keys', { keys: Array.from({ length: 1_001 }, () => 'A'), status: 'void' }],
  ['another status', { keys: ['A'], status: 'redeemed' }],
  ['a long reason', { keys: ['A'], status: 'void', reason: 'A'.repeat(101) }],
  ['another field', { keys: ['A'], status: 'void', place: 1 }],
])('%s cannot be marked', async (_what, body) => {
  await using shop = await openShop();
  expect((await shop.browsers.staff.call('POST', markPath, body)).status).toBe(422);
});

test('marking needs no CSRF header, but the same origin', async () => {
  await using shop = await openShop();
  const { staff } = shop.browsers;
  const body = { keys: ['A'], status: 'void' };
  const raw = await staff.call('POST', markPath, body, { 'x-csrftoken': undefined });
  const cross = await staff.call('POST', markPath, body, {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  });
  expect([raw.status, cross.status]).toEqual([200, 403]);
});

test('staff makes a batch of keys, which are listed by batch, status, end and note', async () => {
  await using shop = await openShop();
  const { staff } = shop.browsers;
  const expiresAt = '2999-01-01T00:00:00.000Z';
  const body = { product_id: shop.productId, place: shop.places.zhao, count: 3, expires_at: expiresAt };
  const { status, body: made } = await staff.call('POST', makePath, body);
  const { batch, keys } = made as { batch: number; keys: string[] };
  const [first = ''] = keys;
  await staff.call('POST', markPath, { keys: [first], status: 'issued', reason: 'Fair 100%_' });

  expect([status, new Set(keys).size]).toEqual([201, 3]);
  const byBatch = await list(staff, `batch=${batch}`);
  expect(byBatch).toMatchObject({ count: 3, texts: keys.toReversed() });
  expect(byBatch.results[0]).toMatchObject({ expires_at: expiresAt, price_fen: 2_600, place: { name: '赵店' } });
  for (const search of [
    first,
    first.toLowerCase().replaceAll('-', ''),
    first.slice(-5),
    first.slice(-11),
    'fair 100%_',
  ]) {
    expect(await list(staff, `search=${encodeURIComponent(search)}`)).toMatchObject({ count: 1, texts: [first] });
  }
  // Many keys are looked through in another way, which a file always takes.
  for (const search of [first, first.slice(-5), 'FAIR 100%_']) {
    for (const who of [staff, shop.browsers.zhao]) {
      const file = await who.call('GET', `${exportPath}?search=${encodeURIComponent(search)}`);
      expect(file.text.split('\r\n').slice(1)).toEqual([expect.stringContaining(first), '']);
    }
  }
  expect((await list(staff, 'search=fair%20100%25_%25')).count).toBe(0);
  expect(await list(staff, `status=issued&batch=${batch}&place=${shop.places.zhao}`)).toMatchObject({ count: 1 });
  expect((await list(staff, `status=issued&batch=${batch}&place=${shop.places.qian}`)).count).toBe(0);
  expect(await list(staff, 'limit=2&offset=7')).toMatchObject({ count: 9, texts: shop.keys.zhao.toReversed() });
});

test('a batch that is sent again, also at the same time, is made once', async () => {
  await using shop = await openShop();
  const { staff } = shop.browsers;
  const batch = {
    ...{ product_id: shop.productId, place: shop.places.zhao, count: 3 },
    ...{ expires_at: '2999-01-01T00:00:00.000Z', uuid_from_client: '0b0e8d2c-6f0e-4a8e-9a57-4f1a3c1d2e3f' },
  };
  const atOnce = await Promise.all(Array.from({ length: 5 }, async () => await staff.call('POST', makePath, batch)));
  const again = await staff.call('POST', makePath, batch);

  const [first] = atOnce;
  for (const reply of [...atOnce, again]) expect(reply).toMatchObject({ status: 201, body: first?.body });
  expect((await list(staff)).count).toBe(9);
  const { batch: made } = again.body as { batch: number };
  const audited = shop.db.selectFrom('auditEntry').where('objectType', '=', 'key-batch').where('objectId', '=', made);
  expect(await audited.select('id').execute()).toHaveLength(1);
  for (const other of [{ count: 4 }, { place: shop.places.qian }, { expires_at: undefined }]) {
    const refused = await staff.call('POST', makePath, { ...batch, ...other });
    expect(refused).toMatchObject({ status: 409, body: { code: 'product-key.uuid-taken' } });
  }
});

test('two places of one promoter are one list, the newest first', async () => {
  await using shop = await openShop();
  await shop.db.updateTable('place').set({ promoterId: shop.ids.zhao }).execute();
  const later = await makeSome(shop.db, { productId: shop.productId, place: shop.places.zhao, count: 1 });
  const expected = [...shop.keys.zhao, ...shop.keys.qian, ...later].toReversed();
  expect((await list(shop.browsers.zhao)).texts).toEqual(expected);
  expect(await list(shop.browsers.zhao, 'limit=2&offset=2')).toMatchObject({ count: 5, texts: expected.slice(2, 4) });
});

test.each([
  [{ count: 0 }, 422, 'request.invalid'],
  [{ count: -1 }, 422, 'request.invalid'],
  [{ count: 1.5 }, 422, 'request.invalid'],
  [{ count: 1_001 }, 422, 'request.invalid'],
  [{ count: '10' }, 422, 'request.invalid'],
  [{ product_id: 999 }, 404, 'product.not-found'],
  [{ place: 999 }, 404, 'place.not-found'],
  [{ place: 2_147_483_648 }, 422, 'request.invalid'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 422, 'product-key.expiry-past'],
  [{ expires_at: 'tomorrow' }, 422, 'request.invalid'],
])('a batch with %j is refused', async (fields, status, code) => {
  await using shop = await openShop();
  const body = { product_id: shop.productId, count: 1, ...fields };
  expect(await shop.browsers.staff.call('POST', makePath, body)).toMatchObject({ status, body: { code } });
  expect((await list(shop.browsers.staff)).count).toBe(6);
});

test('staff keeps places: each change is audited, and one with keys stays', async () => {
  await using shop = await openShop();
  const { staff } = shop.browsers;
  const made = await staff.call('POST', placesPath, { name: '孙店', promoter: shop.ids.zhao });
  const { id } = made.body as Place;

  const renamed = await staff.call('PATCH', `${placesPath}${id}/`, { name: '孙记', note: '二楼', promoter: null });
  const deleted = await staff.call('DELETE', `${placesPath}${id}/`);
  const refused = [
    await staff.call('DELETE', `${placesPath}${shop.places.zhao}/`),
    await staff.call('DELETE', `${placesPath}${id}/`),
    await staff.call('PATCH', `${placesPath}${id}/`, { name: '孙' }),
    await staff.call('POST', placesPath, { name: '孙店', promoter: shop.ids.user }),
    await staff.call('POST', placesPath, { name: '孙店', promoter: 999 }),
    await staff.call('PATCH', `${placesPath}${shop.places.zhao}/`, { promoter: shop.ids.user }),
  ];

  expect(made).toMatchObject({ status: 201, body: { note: '', promoter: { username: 'zhao' } } });
  expect(renamed.body).toMatchObject({ name: '孙记', note: '二楼', promoter: null });
  expect(deleted.body).toEqual({ ok: true });
  expect(refused.map(({ body }) => (body as { code: string }).code)).toEqual([
    ...['place.has-keys', 'place.not-found', 'place.not-found'],
    ...['place.promoter-unknown', 'place.promoter-unknown', 'place.promoter-unknown'],
  ]);
  const entries = await shop.db
    .selectFrom('auditEntry')
    .selectAll()
    .where('objectType', '=', 'place')
    .orderBy('id')
    .execute();
  expect(entries).toMatchObject([
    { action: 'place.created', actor: 'staff', after: { name: '孙店' } },
    { action: 'place.changed', before: { name: '孙店' }, after: { name: '孙记', promoter_id: null } },
    { action: 'place.deleted', before: { name: '孙记' } },
  ]);
});

test('a place says what its redeemed keys are worth', async () => {
  await using shop = await openShop();
  const [key = ''] = shop.keys.zhao;
  await shop.browsers.user.call('POST', '/api/user/product-keys-for-user/', { key });
  const { body } = await shop.browsers.zhao.call('GET', '/api/user/product-key-places/');
  expect(body).toMatchObject({ results: [{ counts: { unused: 1, redeemed: 1 }, worth_fen: 2_600 }] });
});

test('the export is a CSV file of the list, without formulas, and audited', async () => {
  await using shop = await openShop();
  const { staff, zhao } = shop.browsers;
  const [one = '', other = ''] = shop.keys.zhao;
  await staff.call('PATCH', `${placesPath}${shop.places.zhao}/`, { name: '=HYPERLINK("http://evil")' });
  await staff.call('POST', markPath, { keys: [one], status: 'issued', reason: '+1, "二"' });
  await staff.call('POST', markPath, { keys: [other], status: 'void', reason: '-2' });

  const { status, headers, text } = await zhao.call('GET', exportPath);
  const filtered = await staff.call('GET', `${exportPath}?status=void`);

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="product-keys.csv"',
    'cache-control': 'no-store',
  });
  const lines = text.split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFF兑换码,末五位,套餐,/);
  const place = `"'=HYPERLINK(""http://evil"")"`;
  expect(lines[1]).toMatch(`,${csvText(other.slice(-5))},标准版,365,26.00,${place},1,已作废,'-2,`);
  expect(lines[2]).toMatch(`${one},${csvText(one.slice(-5))},标准版,365,26.00,${place},1,已发放,"'+1, ""二""",`);
  expect(lines.slice(3)).toEqual(['']);
  expect(filtered.text.split('\r\n')).toHaveLength(3);
  const entries = shop.db.selectFrom('auditEntry').where('action', '=', 'product-keys.exported').orderBy('id');
  expect(await entries.selectAll().execute()).toMatchObject([
    { actor: 'zhao', after: { count: 2 } },
    { actor: 'staff', after: { count: 1, status: 'void' } },
  ]);
});

test('an export of several portions has each key once, the newest ones up to the limit', async () => {
  await using shop = await openShop();
  const made = [];
  for (let n = 0; n < 3; n++) made.push(...(await makeSome(shop.db, { productId: shop.productId, count: 700 })));
  const filter = { places: 'all', status: undefined, batchId: undefined, search: undefined } as const;
  const read = async (maxKeys: number) => {
    const lines = await exportKeys({ db: shop.db, secrets, maxKeys }, { filter, asked: {} }, 'service');
    return (await text(Readable.from(lines)))
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, 23));
  };

  expect(await read(2_000)).toEqual(made.toReversed().slice(0, 2_000));
  expect(await read(100_000)).toHaveLength(2_106);
});
