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

const RESET_SEQUENCES = `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where last_value is not null`;

/**
 * A clone of the template that several tests use in turn, with the same connections: emptying it takes a tenth of the time
 * of another clone, and a new connection reads the catalogues anew.
 */
export class EmptiedDatabase {
  readonly url: string;
  readonly name: string;
  readonly pool: pg.Pool;
  #deleteAll = '';
  #shape = '';

  private constructor({ url, name }: { url: string; name: string }) {
    this.url = url;
    this.name = name;
    this.pool = createPool(url, pino({ level: 'silent' }));
    this.pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
    this.pool.options.allowExitOnIdle = true;
  }

  static async open(at: { url: string; name: string }): Promise<EmptiedDatabase> {
    const database = new EmptiedDatabase(at);
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${JSON.stringify(name)}`);
    const { rows: filled } = await database.pool.query<Record<string, number>>(`select ${counts.join(', ')}`);
    // Tables that the migrations fill, such as Kysely's own, are not emptied.
    const empty = rows.filter(({ name }) => filled[0]?.[name] === 0);
    database.#deleteAll = empty.map(({ name }) => `delete from ${name}`).join('; ');
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
    if (!isEmpty && !this.pool.ending) await this.pool.end();
    return isEmpty;
  }

  async #empty(): Promise<boolean> {
    if (!(await this.#isUnused())) return false;
    // The role `replica` turns off foreign keys and triggers, so the order of the tables does not matter.
    const results = (await this.pool.query(
      `begin; set local session_replication_role = replica; set local lock_timeout = '1s'; ${this.#deleteAll}; commit`,
    )) as unknown as pg.QueryResult[]; // one result for each statement
    if (results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) > MAX_DELETED_ROWS) return false;
    await this.pool.query(RESET_SEQUENCES);
    await this.#resetConnections();
    return (await this.#readShape()) === this.#shape;
  }

  /** Waits until the test's queries and other connections have ended: they could still write. False if they have not in time. */
  async #isUnused(): Promise<boolean> {
    for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
      if (this.pool.idleCount === this.pool.totalCount && (await this.#countConnections()) <= this.pool.totalCount)
        return true;
      await setTimeout(CHECK_EVERY_MS); // the server process of a closed connection ends a little later
    }
    return false;
  }

  async #countConnections(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select count(*) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend'`,
    );
    return rows[0]!.count;
  }

  /** Releases the locks and settings of sessions. */
  async #resetConnections(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: this.pool.totalCount }, () => this.pool.connect()));
    await Promise.all(clients.map((client) => client.query('discard all')));
    for (const client of clients) client.release();
  }

  async #readShape(): Promise<string> {
    const { rows } = await this.pool.query<{ shape: string }>(SHAPE);
    return rows[0]!.shape;
  }
}
