import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { createAccountToken, findTokenOwner } from './tokens/account-token.ts';
import { registerUserRoutes } from './user-routes.ts';

const sealingKey = Buffer.alloc(32, 3);

const routes = (db: Db) => (app: FastifyInstance) =>
  registerUserRoutes(app, { db, sealingKey, publicUrl: 'http://localhost:8080', billing: 'off' });

async function insertUser(db: Db, username: string): Promise<number> {
  const { id } = await db.insertInto('userAccount').values({ username }).returning('id').executeTakeFirstOrThrow();
  await createAccountToken(db, sealingKey, id);
  return id;
}

async function publish(db: Db, number: number): Promise<void> {
  await db.insertInto('announcement').values({ title: '维护', detail: '今晚', number }).execute();
}

test('without a login the profile list is empty', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));

  expect(await app.browser().call('GET', '/api/profile/')).toMatchObject({ status: 200, body: [] });
});

test('the profile carries every field of the specification and the account token', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await using app = await openTestApp(t.db, routes(t.db));

  const { body } = await (await app.browserOf(id)).call('GET', '/api/profile/');

  expect(body).toEqual([
    {
      id,
      username: 'li',
      email: '',
      token: expect.stringMatching(/^tt_[\w-]{43}$/),
      url: `http://localhost:8080/api/profile/${id}/`,
      is_staff: false,
      is_promoter: false,
      is_superuser: false,
      is_payed: true,
      accepted_terms_of_service: false,
      accepted_terms_of_payment: false,
      readed_announcement_id: 0,
      phone_number: '',
      phone_verified: false,
      phone_bound_at: null,
    },
  ]);
  const [{ token }] = body as [{ token: string }];
  expect(await findTokenOwner(t.db, token)).toBe(id);
});

test('a user changes their own profile, and the number of the last read announcement never decreases', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);
  const patch = (body: object) => browser.call('PATCH', `/api/profile/${id}/`, body);
  await publish(t.db, 7);

  const received = Promise.withResolvers<string>();
  await t.listen('live', received.resolve, () => undefined);
  const first = await patch({ accepted_terms_of_service: true, readed_announcement_id: 7, username: ' 韩梅梅 ' });
  const second = await patch({ readed_announcement_id: 3 });
  const empty = await patch({});
  await patch({ accepted_terms_of_payment: true });
  const kept = await patch({ accepted_terms_of_payment: false });

  const changed = { username: '韩梅梅', accepted_terms_of_service: true, readed_announcement_id: 7 };
  expect(first).toMatchObject({ status: 200, body: changed });
  expect(JSON.parse(await received.promise)).toEqual({ userId: id, topic: 'profile' });
  expect(second).toMatchObject({ status: 200, body: changed });
  expect(empty).toMatchObject({ status: 200, body: changed });
  expect(kept).toMatchObject({ status: 200, body: { accepted_terms_of_payment: true } });
});

test('a number beyond the newest announcement counts as the newest', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);
  const read = async (number: number) =>
    (await browser.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: number })).body;

  expect(await read(2_147_483_647)).toMatchObject({ readed_announcement_id: 0 });
  await publish(t.db, 3);
  expect(await read(2_147_483_647)).toMatchObject({ readed_announcement_id: 3 });
  await t.db.deleteFrom('announcement').execute();
  expect(await read(9)).toMatchObject({ readed_announcement_id: 3 });
});

test('a user cannot make themselves staff', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  for (const field of ['is_staff', 'is_superuser', 'is_promoter', 'is_payed', 'email', 'token', 'id']) {
    const reply = await browser.call('PATCH', `/api/profile/${id}/`, { [field]: true });
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'request.invalid', errors: { [field]: ['没有这个字段'] } },
    });
  }
});

test('the profile of another user is not found', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  const other = await insertUser(t.db, 'wang');
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  const reply = await browser.call('PATCH', `/api/profile/${other}/`, { accepted_terms_of_service: true });

  expect(reply).toMatchObject({ status: 404, body: { code: 'user.not-found' } });
});

test('a name that differs from a taken one only in case is taken', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await insertUser(t.db, 'Émile');
  await using app = await openTestApp(t.db, routes(t.db));

  const reply = await (await app.browserOf(id)).call('PATCH', `/api/profile/${id}/`, { username: 'éMILE' });

  expect(reply).toMatchObject({
    status: 409,
    body: { code: 'user.name-taken', errors: { username: ['该用户名已被使用'] } },
  });
});

test.each([
  ['ｋａｔｅ', '变体字符'],
  ['kate²', '变体字符'],
  ['ﬁona', '变体字符'],
  ['①号', '变体字符'],
  ['__', '至少包含一个'],
  ['.-.', '至少包含一个'],
  ['13800138000', '手机号'],
  ['138-0013-8000', '手机号'],
  ['٠١٢٣٤٥٦٧٨٩', '手机号'],
  ['li@example.com', '2–32 个字母'],
])(
  'the name %s, which could be mistaken for another name, a phone number or an address, is refused',
  async (username, why) => {
    await using t = await openTestDb();
    const id = await insertUser(t.db, '13900139000');
    await using app = await openTestApp(t.db, routes(t.db));
    const browser = await app.browserOf(id);

    const reply = await browser.call('PATCH', `/api/profile/${id}/`, { username });

    expect(reply).toMatchObject({ status: 422, body: { errors: { username: [expect.stringContaining(why)] } } });
    const other = await browser.call('PATCH', `/api/profile/${id}/`, { accepted_terms_of_service: true });
    expect(other).toMatchObject({ status: 200, body: { username: '13900139000' } });
  },
);

test.each(['韩梅梅', 'Émile', '李_2026', 'user.01', '123456', 'はなこ'])(
  'the name %s is accepted',
  async (username) => {
    await using t = await openTestDb();
    const id = await insertUser(t.db, 'li');
    await using app = await openTestApp(t.db, routes(t.db));

    const reply = await (await app.browserOf(id)).call('PATCH', `/api/profile/${id}/`, { username });

    expect(reply).toMatchObject({ status: 200, body: { username } });
  },
);

test('a name of one letter or with spaces is refused', async () => {
  await using t = await openTestDb();
  const id = await insertUser(t.db, 'li');
  await using app = await openTestApp(t.db, routes(t.db));
  const browser = await app.browserOf(id);

  for (const username of ['a', 'a b', '', 'x'.repeat(33), '<b>']) {
    const reply = await browser.call('PATCH', `/api/profile/${id}/`, { username });
    expect(reply).toMatchObject({ status: 422, body: { errors: { username: expect.any(Array) } } });
  }
});
