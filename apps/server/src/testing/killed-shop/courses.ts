import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';

/** Outside of transactions. What a killed process has done in one is lost, so there only the commit is a step. */
const CHANGE = /^\s*(insert|update|delete|with)\b/i;

/** What one buyer does, which stands still for ever before its step `stopAt`, until the process is killed. */
export class Course {
  readonly steps: string[] = [];
  readonly #stopAt: number;
  readonly #stopped = Promise.withResolvers<void>();

  constructor(stopAt = Infinity) {
    this.#stopAt = stopAt;
  }

  /** Resolves when `walk` has ended, or stands still. */
  async take(walk: () => Promise<void>): Promise<void> {
    await Promise.race([courses.run(this, walk), this.#stopped.promise]);
  }

  async step(name: string): Promise<void> {
    this.steps.push(name);
    if (this.steps.length <= this.#stopAt) return;
    this.#stopped.resolve();
    await new Promise(() => undefined);
  }
}

const courses = new AsyncLocalStorage<Course>();

export function currentCourse(): Course | undefined {
  return courses.getStore();
}

/** A pool whose statements are steps of the course in which they are made. */
export function poolWithSteps(pool: PostgresPool): PostgresPool {
  const known = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return {
    ...pool,
    async connect() {
      const client = await pool.connect();
      const present = known.get(client) ?? clientWithSteps(client); // Kysely knows a connection by this object
      known.set(client, present);
      return present;
    },
  };
}

function clientWithSteps(client: PostgresPoolClient): PostgresPoolClient {
  let isInTransaction = false;
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (text === 'commit' || (!isInTransaction && CHANGE.test(text))) await currentCourse()?.step(text);
    if (text.startsWith('begin')) isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') isInTransaction = false;
    return await client.query(text, parameters);
  };
  // Of the two forms of this method, no caller uses the one with a cursor.
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
}
