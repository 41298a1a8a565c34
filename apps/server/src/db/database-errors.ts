import { AppError } from '@tongtu/contract';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { queryRows } from './query-rows.ts';

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Class 08: connection; 53: resources; 57: shutdown, start-up and the statement time limit (PostgreSQL, appendix A).
const UNAVAILABLE_STATES = /^(08...|53...|57P0.|57014)$/;
const POOL_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database is unreachable or overloaded, not because of the query. */
function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(error.code ?? '');
  if ('code' in error && typeof error.code === 'string') return CONNECTION_CODES.has(error.code);
  return POOL_MESSAGES.test(error.message);
}

/** PostgreSQL stores every character except U+0000. No schema of the contract accepts that one on purpose. */
function isUnstorableText(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '22021' || error.code === '22P05');
}

/** Wraps the pool for Kysely: errors that a client may see become an AppError, all others pass unchanged. */
export function translateErrors(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: async () => await pool.end(),
    connect: async () => {
      const client = await translating(pool.connect());
      // Kysely identifies a connection by this object, so each client has one wrapper.
      const known = wrapped.get(client);
      if (known) return known;
      const made = wrapClient(client);
      wrapped.set(client, made);
      return made;
    },
  };
}

function wrapClient(client: pg.PoolClient): PostgresPoolClient {
  function query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(sql: unknown, parameters: ReadonlyArray<unknown> = []): unknown {
    // Kysely passes a cursor only if the dialect is configured with one, and driver.ts configures none.
    if (typeof sql !== 'string') throw new Error('cursors are not configured');
    return translating(queryRows(client, sql, [...parameters]));
  }
  return { query, release: (destroy) => client.release(destroy) };
}

async function translating<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new AppError('server.unavailable', { cause: error });
    if (isUnstorableText(error)) throw new AppError('request.invalid', { cause: error });
    throw error;
  }
}
