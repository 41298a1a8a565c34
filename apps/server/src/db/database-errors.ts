import { AppError } from '@tongtu/contract';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';

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
const AWAY_STATES = /^(08...|53...|57P0.|57014)$/;
const POOL_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database is away or overloaded, not because of the query. */
function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (error instanceof pg.DatabaseError) return AWAY_STATES.test(error.code ?? '');
  if ('code' in error && typeof error.code === 'string') return CONNECTION_CODES.has(error.code);
  return POOL_MESSAGES.test(error.message);
}

/** PostgreSQL stores every character but U+0000, which no schema of ours lets pass on purpose. */
function isUnstorableText(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '22021' || error.code === '22P05');
}

/** The pool as Kysely sees it: what a caller may be told becomes an AppError, every other error passes as it is. */
export function translateErrors(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: async () => await pool.end(),
    connect: async () => {
      const client = await translating(pool.connect());
      // The same wrapper for the same client: Kysely keys its connections by it.
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
    // Kysely passes a cursor only when its dialect was given one, and ours is not.
    if (typeof sql !== 'string') throw new Error('cursors are not configured');
    return translating(client.query(sql, [...parameters]));
  }
  return { query, release: (destroy) => client.release(destroy) };
}

async function translating<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (isDatabaseAway(error)) throw new AppError('server.unavailable', { cause: error });
    if (isUnstorableText(error)) throw new AppError('request.invalid', { cause: error });
    throw error;
  }
}
