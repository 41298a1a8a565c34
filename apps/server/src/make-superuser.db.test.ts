import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDb, type Db } from './db/driver.ts';
import { migrate, migrations } from './db/migrate.ts';
import { openTestDb } from './db/open-test-db.ts';
import { makeSuperuserIn } from './make-superuser.ts';

const log = pino({ level: 'silent' });

async function superusers(db: Db): Promise<string[]> {
  const users = db.selectFrom('userAccount').select('username').where('isSuperuser', '=', true).orderBy('id');
  return (await users.execute()).map(({ username }) => username);
}

async function insertUsers(db: Db): Promise<void> {
  await db
    .insertInto('userAccount')
    .values([{ username: 'li' }, { username: 'wang' }])
    .execute();
}

test('a superuser is made in the operator’s own database', async () => {
  await using t = await openTestDb();
  await insertUsers(t.db);

  expect(await makeSuperuserIn({ url: t.url }, 'nobody', log)).toBeUndefined();
  expect(await makeSuperuserIn({ url: t.url }, 'LI', log)).toBe('li');

  expect(await superusers(t.db)).toEqual(['li']);
});

test('a folder without a database is refused and stays empty', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-superuser-'));
  await using _folder = { [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
  const embeddedDir = path.join(dir, 'postgres');

  await expect(makeSuperuserIn({ embeddedDir }, 'li', log)).rejects.toMatchObject({
    code: 'database.no-tables',
    message: expect.stringMatching(/^这里没有通途的数据库.*postgres$/),
  });

  expect(await readdir(dir)).toEqual([]);
});

test('a database without the product’s tables is refused and not changed', async () => {
  await using empty = await openTestDb({ migrated: false });

  await expect(makeSuperuserIn({ url: empty.url }, 'li', log)).rejects.toMatchObject({ code: 'database.no-tables' });

  expect(await empty.db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
  await sql`create table kysely_migration (name text)`.execute(empty.db); // as after an interrupted first start
  await expect(makeSuperuserIn({ url: empty.url }, 'li', log)).rejects.toMatchObject({ code: 'database.no-tables' });
});

test('a database of an older version is refused and not migrated, and the error names the migration', async () => {
  await using t = await openTestDb({ migrated: false });
  const names = Object.keys(await migrations.getMigrations()).toSorted();
  const [older = '', latest = ''] = names.slice(-2);
  await new Migrator({ db: t.db, provider: migrations }).migrateTo(older);
  await insertUsers(t.db);

  await expect(makeSuperuserIn({ url: t.url }, 'li', log)).rejects.toMatchObject({
    name: 'StartError',
    code: 'database.other-version',
    message: expect.stringMatching(new RegExp(`另一个版本的通途.*缺少 ${latest}$`)),
  });

  const applied = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(
    t.db,
  );
  expect(applied.rows).toEqual([{ name: older }]);
  expect(await superusers(t.db)).toEqual([]);
});

test('a database of a newer version is refused, and nobody becomes a superuser', async () => {
  await using t = await openTestDb({ migrated: false }); // not shared: another test must not find the later migration
  await migrate(t.db);
  await insertUsers(t.db);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2099-01-01')`.execute(t.db);

  await expect(makeSuperuserIn({ url: t.url }, 'li', log)).rejects.toMatchObject({
    code: 'database.other-version',
    message: expect.stringMatching(/多出 9999-later$/),
  });

  expect(await superusers(t.db)).toEqual([]);
});

test('a superuser is made in the embedded database, whether or not the product is running', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-superuser-'));
  await using _folder = { [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
  const embeddedDir = path.join(dir, 'postgres');
  const running = await openDb({ embeddedDir }, log);
  await migrate(running.db);
  await insertUsers(running.db);

  expect(await makeSuperuserIn({ embeddedDir }, 'li', log)).toBe('li');
  expect(await superusers(running.db)).toEqual(['li']);

  await running[Symbol.asyncDispose]();
  expect(await makeSuperuserIn({ embeddedDir }, 'wang', log)).toBe('wang');
  await using again = await openDb({ embeddedDir }, log);
  expect(await superusers(again.db)).toEqual(['li', 'wang']);
});
