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

/** Empty ones that a test of this worker has given back. */
const spare: EmptiedDatabase[] = [];

/** An empty database with all tables, for one test: `await using t = await openTestDb()`. Given back with it. */
export async function openTestDb(options: { migrated: boolean } = { migrated: true }): Promise<TestDb> {
  const { url, giveBack } = options.migrated ? await takeMigrated() : await makeUnmigrated();
  const { db, pool, listen, ...open } = await openDb({ url }, pino({ level: 'silent' }));
  // No call is refused because a busy machine was slow to give back one of the ten connections.
  pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  return {
    db,
    pool,
    listen,
    url,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await giveBack();
    },
  };
}

type Taken = { url: string; giveBack: () => Promise<void> };

async function takeMigrated(): Promise<Taken> {
  const { url, template } = await askForServer();
  const database = spare.pop() ?? (await clone(url, template));
  return {
    url: database.url,
    async giveBack() {
      if (await database.isEmptied()) spare.push(database);
      else await drop(url, database.name);
    },
  };
}

async function clone(server: string, template: string): Promise<EmptiedDatabase> {
  const name = await create(server, `template ${template} strategy file_copy`);
  return await EmptiedDatabase.open({ name, url: withDatabase(server, name) });
}

async function makeUnmigrated(): Promise<Taken> {
  const { url } = await askForServer();
  const name = await create(url, '');
  return { url: withDatabase(url, name), giveBack: async () => await drop(url, name) };
}

async function create(server: string, source: string): Promise<string> {
  const name = `tongtu_test_${randomBytes(8).toString('hex')}`;
  await runSql(server, `create database ${name} ${source}`);
  return name;
}

async function drop(server: string, name: string): Promise<void> {
  await runSql(server, `drop database if exists ${name} with (force)`);
}

async function askForServer(): Promise<{ url: string; template: string }> {
  const answer = Answer.parse(JSON.parse(await text(connect(inject('testPostgresPort'), '127.0.0.1'))));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
