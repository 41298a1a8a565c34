import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { inject } from 'vitest';
import { z } from 'zod';
import { openDb, type OpenDb } from './driver.ts';
import { EmptiedDatabase } from './testing/emptied-database.ts';
import { runSql, withDatabase } from './testing/shared-postgres.ts';

const CONNECT_TIMEOUT_MS = 60_000;

export type TestDb = Pick<OpenDb, 'db' | 'pool' | 'listen'> & AsyncDisposable & { url: string };

const Answer = z.union([z.object({ url: z.string(), template: z.string() }), z.object({ error: z.string() })]);

/** Emptied databases that earlier tests of this worker have released. */
const reusable: EmptiedDatabase[] = [];

/** Opens an empty database with all tables for one test: `await using t = await openTestDb()`. */
export async function openTestDb(options: { migrated: boolean } = { migrated: true }): Promise<TestDb> {
  const { url, release } = options.migrated ? await leaseMigrated() : await createUnmigrated();
  const { db, pool, listen, ...open } = await openDb({ url }, pino({ level: 'silent' }));
  // On a busy machine a call may wait long for one of the ten connections.
  pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  return {
    db,
    pool,
    listen,
    url,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await release();
    },
  };
}

type Lease = { url: string; release: () => Promise<void> };

async function leaseMigrated(): Promise<Lease> {
  const { url, template } = await requestServer();
  const database = reusable.pop() ?? (await clone(url, template));
  return {
    url: database.url,
    async release() {
      if (await database.tryToEmpty()) reusable.push(database);
      else await drop(url, database.name);
    },
  };
}

async function clone(server: string, template: string): Promise<EmptiedDatabase> {
  const name = await create(server, `template ${template} strategy file_copy`);
  return await EmptiedDatabase.open({ name, url: withDatabase(server, name) });
}

async function createUnmigrated(): Promise<Lease> {
  const { url } = await requestServer();
  const name = await create(url, '');
  return { url: withDatabase(url, name), release: async () => await drop(url, name) };
}

async function create(server: string, source: string): Promise<string> {
  const name = `tongtu_test_${randomBytes(8).toString('hex')}`;
  await runSql(server, `create database ${name} ${source}`);
  return name;
}

async function drop(server: string, name: string): Promise<void> {
  await runSql(server, `drop database if exists ${name} with (force)`);
}

async function requestServer(): Promise<{ url: string; template: string }> {
  const answer = Answer.parse(JSON.parse(await text(connect(inject('testPostgresPort'), '127.0.0.1'))));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
