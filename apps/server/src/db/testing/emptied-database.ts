import { setTimeout } from 'node:timers/promises';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { translateErrors } from '../database-errors.ts';
import { createDb, createPool, type Db } from '../driver.ts';

/** More rows than this: dropping the database is faster, and many dead rows would slow the next test down. */
const MAX_DELETED_ROWS = 2000;
const MAX_CHECKS = 200;
const CHECK_EVERY_MS = 3;
/** On a busy machine a call may wait long for one of the ten connections. */
const CONNECT_TIMEOUT_MS = 60_000;

// Every change of a table changes rows of these catalogues.
const SHAPE = `select string_agg(shape, ' ') as shape from (${[
  'pg_class',
  'pg_constraint',
  'pg_trigger',
  'pg_proc',
  'pg_type',
]
  .map(
    (catalogue) =>
      `select concat_ws('/', count(*), max(xmin::text::bigint)) as shape from ${catalogue} where oid >= 16384`,
  )
  .join(' union all ')}) as shapes`;

const COUNT_CONNECTIONS = `select count(*) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'`;

type Sequence = { name: string; value: number; used: boolean };

/**
 * A clone of the template that several tests use in turn, with the same connections: emptying it takes a tenth of the time
 * of another clone, and a new connection reads the catalogues anew.
 */
export class EmptiedDatabase {
  readonly url: string;
  readonly name: string;
  readonly pool: pg.Pool;
  /** One connection that no test uses: it knows the plans of what follows each test. */
  readonly #keeper: pg.Pool;
  #shape = '';

  private constructor({ url, name }: { url: string; name: string }) {
    this.url = url;
    this.name = name;
    this.pool = createPool(url, pino({ level: 'silent' }));
    this.pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
    this.pool.options.allowExitOnIdle = true;
    this.#keeper = createPool(url, pino({ level: 'silent' }));
    Object.assign(this.#keeper.options, { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  }

  static async open(at: { url: string; name: string }): Promise<EmptiedDatabase> {
    const database = new EmptiedDatabase(at);
    const keeper = database.#keeper;
    const { rows } = await keeper.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${JSON.stringify(name)}`);
    const { rows: filled } = await keeper.query<Record<string, number>>(`select ${counts.join(', ')}`);
    // Tables that the migrations fill, such as Kysely's own, are not emptied.
    const tables = rows.map(({ name }) => name).filter((name) => filled[0]?.[name] === 0);
    const { rows: sequences } = await keeper.query<Sequence>(
      `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as value,
         last_value is not null as used from pg_sequences`,
    );
    // Who is no superuser cannot: the function is missing then.
    await keeper.query(emptying(tables, sequences)).catch(() => undefined);
    database.#shape = await database.#readShape();
    return database;
  }

  /** For one test. Queries after `destroy` fail. */
  createDb(): Db {
    const shared = translateErrors(this.pool);
    let isDestroyed = false;
    const pool: PostgresPool = {
      options: shared.options,
      connect: async () => {
        if (isDestroyed) throw new Error('the test has ended');
        return await shared.connect();
      },
      end: async () => void (isDestroyed = true),
    };
    return createDb(pool);
  }

  /** Empties the database. True if it can be used again; otherwise it must be dropped. */
  async tryToEmpty(): Promise<boolean> {
    const isEmpty = await this.#empty().catch(() => false); // no superuser, or a test has dropped a table
    if (!isEmpty) for (const pool of [this.pool, this.#keeper]) if (!pool.ending) await pool.end();
    return isEmpty;
  }

  async #empty(): Promise<boolean> {
    if (!(await this.#isUnused())) return false;
    const { rows } = await this.#keeper.query<{ deleted: number }>({
      name: 'empty',
      text: 'select pg_temp.empty() as deleted',
    });
    if (rows[0]!.deleted > MAX_DELETED_ROWS) return false;
    await this.#resetConnections();
    return (await this.#readShape()) === this.#shape;
  }

  /** Waits until the test's queries and other connections have ended: they could still write. False if they have not in time. */
  async #isUnused(): Promise<boolean> {
    for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
      if (this.pool.idleCount === this.pool.totalCount && (await this.#countConnections()) <= this.pool.totalCount + 1)
        return true;
      await setTimeout(CHECK_EVERY_MS); // the server process of a closed connection ends a little later
    }
    return false;
  }

  async #countConnections(): Promise<number> {
    const { rows } = await this.#keeper.query<{ count: number }>({ name: 'connections', text: COUNT_CONNECTIONS });
    return rows[0]!.count;
  }

  /** Releases the locks and settings of sessions. */
  async #resetConnections(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: this.pool.totalCount }, () => this.pool.connect()));
    await Promise.all(clients.map((client) => client.query('discard all')));
    for (const client of clients) client.release();
  }

  async #readShape(): Promise<string> {
    const { rows } = await this.#keeper.query<{ shape: string }>({ name: 'shape', text: SHAPE });
    return rows[0]!.shape;
  }
}

/**
 * A function that empties these tables, resets the sequences and returns how many rows there were. The role `replica` turns
 * off foreign keys and triggers, so the order of the tables does not matter.
 */
function emptying(tables: readonly string[], sequences: readonly Sequence[]): string {
  const empty = tables.map(
    (name) => `if exists (select from ${name}) then
      delete from ${name}; get diagnostics step = row_count; deleted := deleted + step; end if;`,
  );
  const reset = sequences.map(
    ({ name, value, used }) => `if (select is_called <> ${used} or last_value <> ${value} from ${name}) then
      perform setval('${name}', ${value}, ${used}); end if;`,
  );
  return `set session_replication_role = replica;
    set lock_timeout = '1s';
    create function pg_temp.empty() returns integer language plpgsql as $body$
    declare deleted integer := 0; step integer;
    begin ${[...empty, ...reset].join('\n')} return deleted; end $body$`;
}
