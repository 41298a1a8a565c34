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

test('counts are read as numbers, dates as text', async () => {
  await using t = await openTestDb();

  const { rows } = await sql`select count(*) as count, 9007199254740991::int8 as big, '2026-11-21'::date as day,
    '{"outerKey": {"innerKey": 1}}'::jsonb as json_value`.execute(t.db);

  expect(rows).toEqual([
    { count: 1, big: Number.MAX_SAFE_INTEGER, day: '2026-11-21', jsonValue: { outerKey: { innerKey: 1 } } },
  ]);
});

test('a statement that exceeds its timeout fails with server.unavailable', async () => {
  await using t = await openTestDb();
  await t.db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 20`.execute(connection);

    await expect(sql`select pg_sleep(60)`.execute(connection)).rejects.toMatchObject({ code: 'server.unavailable' });
  });
});

test('a database that does not answer is reported to the operator without its password', async () => {
  const opening = openDb({ url: 'postgres://app:secret@127.0.0.1:1/none' }, log);

  await expect(opening).rejects.toMatchObject({ name: 'StartError', code: 'database.unreachable' });
  await expect(opening).rejects.not.toThrow(/secret/);
});

test('notifications arrive on commit, and a rolled back transaction sends none', async () => {
  await using t = await openTestDb();
  const received: string[] = [];
  await using _listening = await t.listen(
    'live',
    (payload) => received.push(payload),
    () => undefined,
  );

  const failing = t.db.transaction().execute(async (tx) => {
    await notify(tx, 'live', { userId: 1, topic: 'devices' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await t.db.transaction().execute(async (tx) => await notify(tx, 'live', { userId: 2, topic: 'devices' }));

  await expect.poll(() => received).toEqual(['{"userId":2,"topic":"devices"}']);
});

test('a listener that lost its connection reconnects, reports the loss, and receives again', async () => {
  await using t = await openTestDb();
  const received: string[] = [];
  let lost = 0;
  await using _listening = await t.listen(
    'live',
    (payload) => received.push(payload),
    () => void lost++,
  );

  await terminateListeners(t);
  await expect.poll(() => lost).toBe(1);
  await notify(t.db, 'live', { userId: 3 });

  await expect.poll(() => received).toEqual(['{"userId":3}']);
});

test('a disposed listener receives nothing more', async () => {
  await using t = await openTestDb();
  const received: string[] = [];
  await using _other = await t.listen(
    'live',
    (payload) => received.push(`other ${payload}`),
    () => undefined,
  );
  const listening = await t.listen(
    'live',
    (payload) => received.push(`ended ${payload}`),
    () => undefined,
  );
  await listening[Symbol.asyncDispose]();

  await notify(t.db, 'live', { userId: 4 });

  await expect.poll(() => received).toEqual(['other {"userId":4}']);
});

test('while the embedded database is down callers get 503, and it is restarted', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-driver-'));
  await using _folder = { [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
  const embeddedDir = path.join(dir, 'postgres');
  await using open = await openDb({ embeddedDir }, log);
  const query = async () => (await sql<{ n: number }>`select 1 as n`.execute(open.db)).rows;
  expect(await query()).toEqual([{ n: 1 }]);

  const [pid] = (await readFile(path.join(embeddedDir, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');

  const refusal = async () => await query().catch((error: unknown) => error);
  await expect.poll(refusal, { interval: 20 }).toMatchObject({ code: 'server.unavailable' });
  await expect.poll(() => query()).toEqual([{ n: 1 }]);
});

async function terminateListeners(t: TestDb): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tongtu-listen' and datname = current_database()`.execute(t.db);
}
