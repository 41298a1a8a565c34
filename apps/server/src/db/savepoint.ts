import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** Does work in a transaction that may fail without the rest of it: then it is undone, and throws what it threw. */
export async function inSavepoint(tx: Db, work: () => Promise<void>): Promise<void> {
  await sql`savepoint part`.execute(tx);
  try {
    await work();
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    throw error;
  } finally {
    await sql`release savepoint part`.execute(tx);
  }
}
