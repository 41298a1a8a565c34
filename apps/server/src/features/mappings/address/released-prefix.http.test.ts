import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { countWaiting } from '../../../testing/count-waiting.ts';
import { insertDevice, insertServer, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from '../mapping-routes.ts';
import { deleteOldReleasedPrefixes } from './released-prefix-store.ts';
import { releasePrefixes } from './released-prefix.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';

const records = '/api/user/records/';
const web = { kind: 'http', target: 'http://192.168.1.10' };
const taken = { status: 409, body: { code: 'mapping.prefix-taken', errors: { prefix: [expect.any(String)] } } };

/** Opens the browsers of two accounts with a device each. */
async function openTwo({ db }: TestDb) {
  const serverId = await insertServer(db);
  const app = await openTestApp(db, (on) => registerMappingRoutes(on, { ...mappingDeps, db }));
  const join = async (name: string) => {
    const userId = await insertUser(db, name);
    const deviceId = await insertDevice(db, { userId, serverId });
    const browser = await app.browserOf(userId);
    return {
      userId,
      deviceId,
      make: async (prefix: string) => await browser.call('POST', records, { ...web, prefix, router: deviceId }),
      change: async (id: number, patch: object) => await browser.call('PATCH', `${records}${id}/`, patch),
      remove: async (id: number) => await browser.call('DELETE', `${records}${id}/`),
    };
  };
  const [li, zhao] = [await join('li'), await join('zhao')];
  return { serverId, li, zhao, [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose]() };
}

const idOf = ({ body }: { body: unknown }): number => (body as { id: number }).id;

async function letDaysPass({ db }: TestDb, days: number): Promise<void> {
  await db
    .updateTable('releasedPrefix')
    .set({ releasedAt: sql<Date>`released_at - make_interval(days => ${days})` })
    .execute();
}

test('a released prefix is reserved for its former owner: others get prefix-taken for 30 days', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  const id = idOf(await two.li.make('nas'));
  const whileTaken = await two.zhao.make('nas');

  expect((await two.li.remove(id)).status).toBe(200);

  const expected = { ...(whileTaken.body as object), request_id: expect.any(String) };
  expect((await two.zhao.make('nas')).body).toEqual(expected);
  await letDaysPass(t, 29);
  expect(await two.zhao.make('nas')).toMatchObject(taken);
  await letDaysPass(t, 1);
  expect(await two.zhao.make('nas')).toMatchObject({ status: 201 });
});

test('the former owner can reclaim a released prefix at once, and it can be released again', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  await two.li.remove(idOf(await two.li.make('nas')));
  await letDaysPass(t, 20);

  const again = await two.li.make('nas');
  expect(again.status).toBe(201);
  await two.li.remove(idOf(again));

  await letDaysPass(t, 20);
  expect(await two.zhao.make('nas')).toMatchObject(taken);
});

test.each([{ prefix: 'cam' }, { custom_domain: 'nas.example.com' }])(
  'a prefix that another address replaced is released, too: %o',
  async (patch) => {
    await using t = await openTestDb();
    await using two = await openTwo(t);
    const id = idOf(await two.li.make('nas'));
    const other = idOf(await two.zhao.make('tv'));

    await two.li.change(id, { remark: 'x' });
    expect((await two.li.change(id, patch)).status).toBe(200);

    expect(await two.zhao.make('nas')).toMatchObject(taken);
    expect(await two.zhao.change(other, { prefix: 'nas' })).toMatchObject(taken);
    expect(await two.li.change(id, { prefix: 'nas' })).toMatchObject({ status: 200, body: { prefix: 'nas' } });
    expect(await t.db.selectFrom('releasedPrefix').select('prefix').where('prefix', '=', 'nas').execute()).toEqual([]);
  },
);

test('the prefix of a deleted account is reserved for 30 days', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  await two.li.make('nas');
  await t.db.transaction().execute(async (tx) => {
    await releasePrefixes(tx, { userId: two.li.userId });
    await tx.deleteFrom('userAccount').where('id', '=', two.li.userId).execute();
  });

  expect(await two.zhao.make('nas')).toMatchObject(taken);
  await letDaysPass(t, 30);
  expect(await two.zhao.make('nas')).toMatchObject({ status: 201 });
});

test('a call that waits for the release of a prefix does not get it', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  const id = idOf(await two.li.make('nas'));

  const { made } = await t.db.transaction().execute(async (tx) => {
    await releasePrefixes(tx, { mappingId: id });
    await tx.deleteFrom('mapping').where('id', '=', id).execute();
    const waiting = { made: two.zhao.make('nas') };
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    return waiting;
  });

  expect(await made).toMatchObject(taken);
});

test('an account with 1 000 released prefixes can claim no others', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  await sql`
    insert into released_prefix (server_id, prefix, user_id)
    select ${two.serverId}, 'n' || n, ${two.li.userId} from generate_series(1, 1000) as n`.execute(t.db);

  expect(await two.li.make('nas')).toMatchObject({ status: 409, body: { code: 'mapping.prefixes-used-up' } });
  expect((await two.li.make('n1')).status).toBe(201);
  expect((await two.li.make('nas')).status).toBe(201);
});

test('the clean-up deletes released prefixes after 30 days', async () => {
  await using t = await openTestDb();
  await using two = await openTwo(t);
  await two.li.remove(idOf(await two.li.make('old')));
  await letDaysPass(t, 30);
  await two.li.remove(idOf(await two.li.make('new')));

  await deleteOldReleasedPrefixes(t.db);

  expect(await t.db.selectFrom('releasedPrefix').select('prefix').execute()).toEqual([{ prefix: 'new' }]);
});
