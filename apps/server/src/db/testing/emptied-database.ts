import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** More rows are sooner gone with the whole database, and would leave dead ones that the next test walks over. */
const MAX_DELETED_ROWS = 2000;
const MAX_LOOKS = 200;
const LOOK_EVERY_MS = 3;

// What a change of the tables cannot leave as it was: the rows of the catalogue that stand for them.
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

/** A clone of the template that serves one test after the other: emptying it takes a tenth of making another. */
export class EmptiedDatabase {
  readonly url: string;
  readonly name: string;
  readonly #pool: pg.Pool;
  #deleteAll = '';
  #shape = '';

  private constructor({ url, name }: { url: string; name: string }) {
    this.url = url;
    this.name = name;
    // Of one connection, and no reason for the process to go on.
    this.#pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    this.#pool.on('error', () => undefined); // a test has ended all connections: the next use makes one
  }

  static async open(at: { url: string; name: string }): Promise<EmptiedDatabase> {
    const database = new EmptiedDatabase(at);
    const { rows } = await database.#pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${JSON.stringify(name)}`);
    const { rows: filled } = await database.#pool.query<Record<string, number>>(`select ${counts.join(', ')}`);
    // What the migrations have filled is no test's to change: their own record.
    const empty = rows.filter(({ name }) => filled[0]?.[name] === 0);
    database.#deleteAll = empty.map(({ name }) => `delete from ${name}`).join('; ');
    database.#shape = await database.#readShape();
    return database;
  }

  /** Whether it is as empty as it was made, and may serve again. Where it is not, it only waits to be dropped. */
  async isEmptied(): Promise<boolean> {
    const isEmpty = await this.#empty().catch(() => false); // not a superuser's, or a table is gone
    if (!isEmpty) await this.#pool.end();
    return isEmpty;
  }

  async #empty(): Promise<boolean> {
    if (!(await this.#isLeft())) return false;
    // Nothing stands in the way of the order, and no trigger acts on it.
    const results = (await this.#pool.query(
      `begin; set local session_replication_role = replica; set local lock_timeout = '1s'; ${this.#deleteAll}; commit`,
    )) as unknown as pg.QueryResult[]; // one of each statement
    if (results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) > MAX_DELETED_ROWS) return false;
    await this.#pool.query(RESET_SEQUENCES);
    return (await this.#readShape()) === this.#shape;
  }

  /** By everything that a test has opened: it could write after we have emptied. */
  async #isLeft(): Promise<boolean> {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const { rows } = await this.#pool.query(
        `select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      if (rows.length === 0) return true;
      await setTimeout(LOOK_EVERY_MS); // a connection that was closed takes its server process with it, in its own time
    }
    return false;
  }

  async #readShape(): Promise<string> {
    const { rows } = await this.#pool.query<{ shape: string }>(SHAPE);
    return rows[0]!.shape;
  }
}
