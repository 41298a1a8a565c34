import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDb } from './driver.ts';
import { migrate } from './migrate.ts';
import { openTestDb } from './open-test-db.ts';

test('four servers that start on an empty database run each migration once', async () => {
  await using empty = await openTestDb({ migrated: false });
  await using servers = new AsyncDisposableStack();
  const dbs = [];
  for (let i = 0; i < 4; i++) {
    dbs.push(servers.use(await openDb({ url: empty.url }, pino({ level: 'silent' }))).db);
  }

  await Promise.all(dbs.map((db) => migrate(db)));

  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*) from kysely_migration group by name order by name`.execute(empty.db);
  expect(rows.length).toBeGreaterThan(6);
  expect(rows.every(({ count }) => count === 1)).toBe(true);
  expect(await empty.db.selectFrom('userAccount').select('id').execute()).toEqual([]);
});

test('migrate changes nothing in a database that is up to date', async () => {
  await using t = await openTestDb();
  await t.db
    .insertInto('setting')
    .values({ name: 'kept', value: JSON.stringify({ camelKey: 1 }) })
    .execute();

  await migrate(t.db);

  expect(await t.db.selectFrom('setting').select('value').executeTakeFirst()).toEqual({ value: { camelKey: 1 } });
});

test('a database of a newer version is refused, and the error names the migration', async () => {
  await using t = await openTestDb({ migrated: false }); // not shared: another test must not find the later migration
  await migrate(t.db);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2099-01-01')`.execute(t.db);

  await expect(migrate(t.db)).rejects.toMatchObject({
    name: 'StartError',
    code: 'database.newer',
    message: expect.stringMatching(/更新版本的通途.*9999-later$/),
  });
});
