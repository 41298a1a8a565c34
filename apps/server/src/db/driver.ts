import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from '../start-error.ts';
import { translateErrors } from './database-errors.ts';
import { socketUrl } from './embedded/embedded-postgres.ts';
import { EmbeddedSupervisor } from './embedded/embedded-supervisor.ts';
import { findRunningServer } from './embedded/postgres-folder.ts';
import { NotificationListener } from './notification-listener.ts';
import { SnakeCasePlugin } from './snake-case-plugin.ts';
import type { Database } from './schema.ts';

/**
 * Payloads: `sso_step` has `{ state }`, the hash of the state; `device_changed` has `{ deviceId, version }`; `live` has
 * `{ userId?, topic }`; the others have none.
 */
export type Channel = 'sso_step' | 'device_changed' | 'live' | 'edge_changed' | 'session_ended';

/** A database or a transaction. Functions that take one work with both. */
export type Db = Kysely<Database>;

export type DbConnection = { url: string } | { embeddedDir: string };

export type OpenDb = AsyncDisposable & {
  db: Db;
  pool: pg.Pool;
  /**
   * Calls `onNotify` for every notification of the channel. Calls `onLost` after the connection was lost and restored:
   * notifications may have been missed, so the subscriber reads the state again.
   */
  listen(channel: Channel, onNotify: (payload: string) => void, onLost: () => void): Promise<AsyncDisposable>;
};

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const OLDEST_VERSION = 150_000;

// pg parses int8 (every count) as text and date as local midnight. These parsers hide both from all other files.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, (text) => text],
]);
const types: pg.CustomTypesConfig = {
  // pg's types allow two formats. These parsers are for text, the only format that is requested.
  getTypeParser: (id, format) => parsers.get(id) ?? pg.types.getTypeParser(id, format),
};

/** Connects to the operator's database, or starts the embedded one on a folder. Throws StartError. */
export async function openDb(connection: DbConnection, log: Logger): Promise<OpenDb> {
  if ('url' in connection) return await openPool(connection.url, log);
  await using parts = new AsyncDisposableStack();
  const embedded = parts.use(await EmbeddedSupervisor.start(connection.embeddedDir, log));
  const open = parts.use(await openPool(embedded.url('postgres'), log));
  const running = parts.move();
  return { ...open, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** Opens the database for a command. If the product is running, its embedded database is used. Throws StartError. */
export async function openDbBeside(connection: DbConnection, log: Logger): Promise<OpenDb> {
  const socketDir = 'url' in connection ? undefined : await findRunningServer(connection.embeddedDir);
  return socketDir === undefined
    ? await openDb(connection, log)
    : await openPool(socketUrl(socketDir, 'postgres'), log);
}

/** The connections of all queries. Opens none yet. */
export function createPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'tongtu',
    types,
  });
  // The pool replaces an idle connection that breaks; without this listener the error would end the process. Only the
  // message is logged, because pg attaches the whole connection to the error. Errors while closing are expected.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'idle database connection lost');
  });
  // A connection in use needs a listener, too. Its error is reported by the query that fails with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function createDb(pool: PostgresPool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [new SnakeCasePlugin()] });
}

async function openPool(url: string, log: Logger): Promise<OpenDb> {
  const pool = createPool(url, log);
  const db = createDb(translateErrors(pool));
  try {
    await checkVersion(pool);
  } catch (error) {
    await db.destroy();
    await pool.end().catch(() => undefined); // Kysely ends the pool only if it has made a query
    throw error;
  }
  const listener = new NotificationListener({ url, log });
  return {
    db,
    pool,
    listen: async (channel, onNotify, onLost) => await listener.listen(channel, { onNotify, onLost }),
    async [Symbol.asyncDispose]() {
      await listener.close();
      await db.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}

async function checkVersion(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
    const version = Number(rows[0]?.server_version_num);
    if (version < OLDEST_VERSION)
      throw new StartError('database.too-old', `PostgreSQL ${Math.floor(version / 10_000)}`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The URL contains a password, so only the driver's message is shown.
    const message = error instanceof Error ? error.message : String(error);
    throw new StartError('database.unreachable', message, { cause: error });
  }
}
