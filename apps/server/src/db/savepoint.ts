import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** Runs a part of a transaction. If it throws, only this part is rolled back, and the error is thrown again. */
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
