import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** More rows than this: dropping the database is faster, and many dead rows would slow the next test down. */
const MAX_DELETED_ROWS = 2000;
const MAX_CHECKS = 200;
const CHECK_EVERY_MS = 3;

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

/** A clone of the template that several tests use in turn: emptying it takes a tenth of the time of another clone. */
export class EmptiedDatabase {
  readonly url: string;
  readonly name: string;
  readonly #pool: pg.Pool;
  #deleteAll = '';
  #shape = '';

  private constructor({ url, name }: { url: string; name: string }) {
    this.url = url;
    this.name = name;
    // One connection, which does not keep the process alive.
    this.#pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    this.#pool.on('error', () => undefined); // a test may end all connections; the next query opens one
  }

  static async open(at: { url: string; name: string }): Promise<EmptiedDatabase> {
    const database = new EmptiedDatabase(at);
    const { rows } = await database.#pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${JSON.stringify(name)}`);
    const { rows: filled } = await database.#pool.query<Record<string, number>>(`select ${counts.join(', ')}`);
    // Tables that the migrations fill, such as Kysely's own, are not emptied.
    const empty = rows.filter(({ name }) => filled[0]?.[name] === 0);
    database.#deleteAll = empty.map(({ name }) => `delete from ${name}`).join('; ');
    database.#shape = await database.#readShape();
    return database;
  }

  /** Empties the database. True if it can be used again; otherwise it must be dropped. */
  async tryToEmpty(): Promise<boolean> {
    const isEmpty = await this.#empty().catch(() => false); // no superuser, or a test has dropped a table
    if (!isEmpty) await this.#pool.end();
    return isEmpty;
  }

  async #empty(): Promise<boolean> {
    if (!(await this.#isUnused())) return false;
    // The role `replica` turns off foreign keys and triggers, so the order of the tables does not matter.
    const results = (await this.#pool.query(
      `begin; set local session_replication_role = replica; set local lock_timeout = '1s'; ${this.#deleteAll}; commit`,
    )) as unknown as pg.QueryResult[]; // one result for each statement
    if (results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) > MAX_DELETED_ROWS) return false;
    await this.#pool.query(RESET_SEQUENCES);
    return (await this.#readShape()) === this.#shape;
  }

  /** Waits until the test's connections have ended: they could still write. False if they have not in time. */
  async #isUnused(): Promise<boolean> {
    for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
      const { rows } = await this.#pool.query(
        `select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      if (rows.length === 0) return true;
      await setTimeout(CHECK_EVERY_MS); // the server process of a closed connection ends a little later
    }
    return false;
  }

  async #readShape(): Promise<string> {
    const { rows } = await this.#pool.query<{ shape: string }>(SHAPE);
    return rows[0]!.shape;
  }
}
