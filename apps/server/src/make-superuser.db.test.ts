import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDb, type Db } from './db/driver.ts';
import { migrate } from './db/migrate.ts';
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

test('a superuser is made in the embedded database, whether or not the product is running', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-superuser-'));
  await using _folder = { [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
  const embeddedDir = path.join(dir, 'postgres');
  expect(await makeSuperuserIn({ embeddedDir }, 'li', log)).toBeUndefined();
  expect(await readdir(dir)).toEqual([]);
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
