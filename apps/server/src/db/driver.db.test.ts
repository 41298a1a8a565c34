import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDb } from './driver.ts';
import { notify } from './notify.ts';
import { openTestDb, type TestDb } from './open-test-db.ts';

const log = pino({ level: 'silent' });

test('counts are numbers, dates are the text they were', async () => {
  await using t = await openTestDb();

  const { rows } = await sql`select count(*) as count, 9007199254740991::int8 as big, '2026-11-21'::date as day,
    '{"keepMe": {"asIAm": 1}}'::jsonb as json_value`.execute(t.db);

  expect(rows).toEqual([
    { count: 1, big: Number.MAX_SAFE_INTEGER, day: '2026-11-21', jsonValue: { keepMe: { asIAm: 1 } } },
  ]);
});

test('a statement that runs too long is ended, and the caller is told the service is away', async () => {
  await using t = await openTestDb();
  await t.db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 20`.execute(connection);

    await expect(sql`select pg_sleep(60)`.execute(connection)).rejects.toMatchObject({ code: 'server.unavailable' });
  });
});

test('a database that nobody answers at is told to the operator without its password', async () => {
  const opening = openDb({ url: 'postgres://app:secret@127.0.0.1:1/none' }, log);

  await expect(opening).rejects.toMatchObject({ name: 'StartError', code: 'database.unreachable' });
  await expect(opening).rejects.not.toThrow(/secret/);
});

test('notifications arrive on commit, and none for a transaction that failed', async () => {
  await using t = await openTestDb();
  const heard: string[] = [];
  await using _listening = await t.listen(
    'live',
    (payload) => heard.push(payload),
    () => undefined,
  );

  const failing = t.db.transaction().execute(async (tx) => {
    await notify(tx, 'live', { userId: 1, topic: 'devices' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await t.db.transaction().execute(async (tx) => await notify(tx, 'live', { userId: 2, topic: 'devices' }));

  await expect.poll(() => heard).toEqual(['{"userId":2,"topic":"devices"}']);
});

test('a listener that was cut off comes back, says so, and hears again', async () => {
  await using t = await openTestDb();
  const heard: string[] = [];
  let lost = 0;
  await using _listening = await t.listen(
    'live',
    (payload) => heard.push(payload),
    () => void lost++,
  );

  await killListeners(t);
  await expect.poll(() => lost).toBe(1);
  await notify(t.db, 'live', { userId: 3 });

  await expect.poll(() => heard).toEqual(['{"userId":3}']);
});

test('who stopped listening hears nothing more', async () => {
  await using t = await openTestDb();
  const heard: string[] = [];
  await using _other = await t.listen(
    'live',
    (payload) => heard.push(`other ${payload}`),
    () => undefined,
  );
  const listening = await t.listen(
    'live',
    (payload) => heard.push(`ended ${payload}`),
    () => undefined,
  );
  await listening[Symbol.asyncDispose]();

  await notify(t.db, 'live', { userId: 4 });

  await expect.poll(() => heard).toEqual(['other {"userId":4}']);
});

test('while the embedded database is away callers get 503; it is started again by itself', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-driver-'));
  await using _folder = { [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
  const embeddedDir = path.join(dir, 'postgres');
  await using open = await openDb({ embeddedDir }, log);
  const ask = async () => (await sql<{ n: number }>`select 1 as n`.execute(open.db)).rows;
  expect(await ask()).toEqual([{ n: 1 }]);

  const [pid] = (await readFile(path.join(embeddedDir, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');

  const refusal = async () => await ask().catch((error: unknown) => error);
  await expect.poll(refusal, { interval: 20 }).toMatchObject({ code: 'server.unavailable' });
  await expect.poll(() => ask()).toEqual([{ n: 1 }]);
});

async function killListeners(t: TestDb): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tongtu-listen' and datname = current_database()`.execute(t.db);
}
