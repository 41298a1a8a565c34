import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { inject } from 'vitest';
import { z } from 'zod';
import { openDb, type OpenDb } from './driver.ts';
import { runSql, withDatabase } from './testing/shared-postgres.ts';

const CONNECT_TIMEOUT_MS = 60_000;

export type TestDb = Pick<OpenDb, 'db' | 'pool' | 'listen'> & AsyncDisposable & { url: string };

const Answer = z.union([z.object({ url: z.string(), template: z.string() }), z.object({ error: z.string() })]);

/** A fresh database with all tables, for one test: `await using t = await openTestDb()`. Dropped with it. */
export async function openTestDb(options: { migrated: boolean } = { migrated: true }): Promise<TestDb> {
  const shared = await askForServer();
  const name = `tongtu_test_${randomBytes(8).toString('hex')}`;
  const source = options.migrated ? `template ${shared.template} strategy file_copy` : '';
  await runSql(shared.url, `create database ${name} ${source}`);
  const url = withDatabase(shared.url, name);
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
      await runSql(shared.url, `drop database if exists ${name} with (force)`);
    },
  };
}

async function askForServer(): Promise<{ url: string; template: string }> {
  const answer = Answer.parse(JSON.parse(await text(connect(inject('testPostgresPort'), '127.0.0.1'))));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
