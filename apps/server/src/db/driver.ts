import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from '../start-error.ts';
import { translateErrors } from './database-errors.ts';
import { socketUrl } from './embedded-postgres.ts';
import { EmbeddedSupervisor } from './embedded-supervisor.ts';
import { findRunningServer } from './postgres-folder.ts';
import { NotificationListener } from './notification-listener.ts';
import type { Database } from './schema.ts';

/** `sso_step` carries `{ state }`, the hash of the state; `device_changed` carries `{ deviceId, version }`, `live` carries `{ userId?, topic }`, the others carry nothing. */
export type Channel = 'sso_step' | 'device_changed' | 'live' | 'edge_changed' | 'session_ended';

/** A database or a transaction: whoever has one does not ask which. */
export type Db = Kysely<Database>;

export type DbConnection = { url: string } | { embeddedDir: string };

export type OpenDb = AsyncDisposable & {
  db: Db;
  pool: pg.Pool;
  /**
   * Calls `onNotify` for every notification of the channel. `onLost` is called when the connection had been lost and
   * listening works again: notifications may have been missed, so read again what they stand for.
   */
  listen(channel: Channel, onNotify: (payload: string) => void, onLost: () => void): Promise<AsyncDisposable>;
};

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const OLDEST_VERSION = 150_000;

// pg gives int8 (every count) as text and date as local midnight; nothing above this file should have to know.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, (text) => text],
]);
const types: pg.CustomTypesConfig = {
  // pg's typings know two formats; a parser of ours is for text, the only one we ask for.
  getTypeParser: (id, format) => parsers.get(id) ?? pg.types.getTypeParser(id, format),
};

/** Opens the operator's database, or starts the embedded one on a folder. Throws StartError. */
export async function openDb(connection: DbConnection, log: Logger): Promise<OpenDb> {
  if ('url' in connection) return await openPool(connection.url, log);
  await using parts = new AsyncDisposableStack();
  const embedded = parts.use(await EmbeddedSupervisor.start(connection.embeddedDir, log));
  const open = parts.use(await openPool(embedded.url('postgres'), log));
  const running = parts.move();
  return { ...open, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** The same for a command beside the product: where that runs already, its embedded database is used. Throws StartError. */
export async function openDbBeside(connection: DbConnection, log: Logger): Promise<OpenDb> {
  const socketDir = 'url' in connection ? undefined : await findRunningServer(connection.embeddedDir);
  return socketDir === undefined
    ? await openDb(connection, log)
    : await openPool(socketUrl(socketDir, 'postgres'), log);
}

async function openPool(url: string, log: Logger): Promise<OpenDb> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'tongtu',
    types,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process. Only its words
  // are logged: pg hangs the whole connection on the error. While we close, the server may be quicker than we are.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'idle database connection lost');
  });
  // The same for one in use: the query that it runs fails with this error and reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: translateErrors(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  try {
    await checkVersion(pool);
  } catch (error) {
    await db.destroy();
    await pool.end().catch(() => undefined); // Kysely ends it only when a query was made through it
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
    // The address holds a password, so only the driver's words are shown.
    const words = error instanceof Error ? error.message : String(error);
    throw new StartError('database.unreachable', words, { cause: error });
  }
}
