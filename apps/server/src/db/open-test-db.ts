import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { inject } from 'vitest';
import { z } from 'zod';
import { openDb, type OpenDb } from './driver.ts';
import { NotificationListener } from './notification-listener.ts';
import { EmptiedDatabase } from './testing/emptied-database.ts';
import { runSql, withDatabase } from './testing/shared-postgres.ts';

export type TestDb = Pick<OpenDb, 'db' | 'pool' | 'listen'> & AsyncDisposable & { url: string };

const Answer = z.union([z.object({ url: z.string(), template: z.string() }), z.object({ error: z.string() })]);

type Server = { url: string; template: string };

/** All tests of this worker use one. */
let server: Promise<Server> | undefined;

/** Emptied databases that earlier tests of this worker have released. */
const reusable: EmptiedDatabase[] = [];

/** Opens an empty database with all tables for one test: `await using t = await openTestDb()`. */
export async function openTestDb(options: { migrated: boolean } = { migrated: true }): Promise<TestDb> {
  return options.migrated ? await openMigrated() : await openUnmigrated();
}

async function openMigrated(): Promise<TestDb> {
  const { url: serverUrl, template } = await requestServer();
  const database = reusable.pop() ?? (await clone(serverUrl, template));
  const { url, pool } = database;
  const db = database.createDb();
  const listener = new NotificationListener({ url, log: pino({ level: 'silent' }) });
  return {
    db,
    pool,
    url,
    listen: async (channel, onNotify, onLost) => await listener.listen(channel, { onNotify, onLost }),
    async [Symbol.asyncDispose]() {
      await listener.close();
      await db.destroy();
      if (await database.tryToEmpty()) reusable.push(database);
      else await drop(serverUrl, database.name);
    },
  };
}

async function openUnmigrated(): Promise<TestDb> {
  const { url: serverUrl } = await requestServer();
  const name = await create(serverUrl, '');
  const url = withDatabase(serverUrl, name);
  const { db, pool, listen, ...open } = await openDb({ url }, pino({ level: 'silent' }));
  return {
    db,
    pool,
    listen,
    url,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await drop(serverUrl, name);
    },
  };
}

async function clone(serverUrl: string, template: string): Promise<EmptiedDatabase> {
  const name = await create(serverUrl, `template ${template} strategy file_copy`);
  return await EmptiedDatabase.open({ name, url: withDatabase(serverUrl, name) });
}

async function create(server: string, source: string): Promise<string> {
  const name = `tongtu_test_${randomBytes(8).toString('hex')}`;
  await runSql(server, `create database ${name} ${source}`);
  return name;
}

async function drop(server: string, name: string): Promise<void> {
  await runSql(server, `drop database if exists ${name} with (force)`);
}

async function requestServer(): Promise<Server> {
  return await (server ??= request());
}

async function request(): Promise<Server> {
  const answer = Answer.parse(JSON.parse(await text(connect(inject('testPostgresPort'), '127.0.0.1'))));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
