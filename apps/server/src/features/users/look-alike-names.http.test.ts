import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { createNamedUser } from './create-named-user.ts';
import { createAccountToken } from './tokens/account-token.ts';
import { fillSkeletons } from './fill-skeletons.ts';
import { registerUserRoutes } from './user-routes.ts';

const sealingKey = Buffer.alloc(32, 3);
let t: TestDb;
let app: TestApp;
beforeAll(async () => {
  t = await openTestDb();
  const settings = { publicUrl: 'http://localhost:8080', billing: 'off' } as const;
  app = await openTestApp(t.db, (server) => registerUserRoutes(server, { db: t.db, sealingKey, ...settings }));
});
beforeEach(async () => void (await t.db.deleteFrom('userAccount').execute()));
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

async function join(username: string): Promise<number> {
  const user = { sealingKey, username, passwordHash: null, acceptedTermsOfService: true };
  return await t.db.transaction().execute(async (tx) => await createNamedUser(tx, user));
}

/** An account from before names had a skeleton. */
async function insertOld(username: string, isStaff = false): Promise<number> {
  const values = { username, isStaff };
  const { id } = await t.db.insertInto('userAccount').values(values).returning('id').executeTakeFirstOrThrow();
  await createAccountToken(t.db, sealingKey, id);
  return id;
}

async function rename(id: number, username: string) {
  return await (await app.browserOf(id)).call('PATCH', `/api/profile/${id}/`, { username });
}

test.each(['通途管理员', 'аdmin', 'adm1n', 'support', 'r00t'])('%s is no name for an account', async (username) => {
  const id = await join('li');
  const { status, body } = await rename(id, username);
  // A name of two scripts is refused by its shape.
  expect({ status, body }).toMatchObject(
    username === 'аdmin'
      ? { status: 422, body: { errors: { username: [expect.stringContaining('混用')] } } }
      : { status: 422, body: { code: 'user.name-reserved', errors: { username: [expect.stringContaining('官方')] } } },
  );
  if (username !== 'аdmin') await expect(join(username)).rejects.toMatchObject({ code: 'user.name-reserved' });
});

test.each(['wanglin', 'WangLin', 'wang1in', 'wanglln', 'wánglin', 'vvanglin'])(
  '%s is refused while another account is wangIin',
  async (username) => {
    await join('wangIin');
    const code = username.toLowerCase() === 'wangiin' ? 'user.name-taken' : 'user.name-look-alike';
    await expect(join(username)).rejects.toMatchObject({ code });
    expect(await rename(await join('li'), username)).toMatchObject({ status: 409, body: { code } });
  },
);

test('a name of letters of another script that all look Latin is refused', async () => {
  await join('cope');
  expect(await rename(await join('li'), 'соре')).toMatchObject({ status: 409, body: { code: 'user.name-look-alike' } });
});

test('older accounts keep names that are refused today, and new ones may not look like them', async () => {
  const [admin, first, second] = [await insertOld('support'), await insertOld('lily0'), await insertOld('lilyo')];
  await fillSkeletons(t.db);
  await fillSkeletons(t.db); // as each start does
  for (const [id, username] of [
    [admin, 'support'],
    [first, 'lily0'],
    [second, 'lilyo'],
  ] as const)
    expect(await rename(id, username)).toMatchObject({ status: 200, body: { username } });
  await expect(join('1ily0')).rejects.toMatchObject({ code: 'user.name-look-alike' });
});

test('an account may change how its own name is written', async () => {
  const id = await join('wanglin');
  expect(await rename(id, 'WangLin')).toMatchObject({ status: 200, body: { username: 'WangLin' } });
});

test('staff may be called after the service', async () => {
  expect(await rename(await insertOld('li', true), '通途客服')).toMatchObject({ status: 200 });
});
