import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** `browserHash`: of the browser that asked for it, the only one that can try it. */
export type StoredCode = { purpose: string; address: string; browserHash: Buffer; codeHash: Buffer };
export type CodeTry = 'right' | 'wrong' | 'none';

const MAX_TRIES = 5;
const LIFETIME_SECONDS = 300;

/** In place of the one before of this browser, which counts no more. */
export async function storeCode(db: Db, code: StoredCode): Promise<void> {
  const fresh = {
    codeHash: code.codeHash,
    tries: 0,
    expiresAt: sql<Date>`clock_timestamp() + make_interval(secs => ${LIFETIME_SECONDS})`,
    usedAt: null,
  };
  await db
    .insertInto('oneTimeCode')
    .values({ purpose: code.purpose, address: code.address, browserHash: code.browserHash, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'address', 'browserHash']).doUpdateSet(fresh))
    .execute();
}

/** Counts a try and, when it is right, uses the code up. `none`: there is no code, or none any more. */
export async function tryCode(db: Db, code: StoredCode): Promise<CodeTry> {
  // One statement: however many tries come at once, five are judged and one wins.
  const row = await db
    .updateTable('oneTimeCode')
    .set({
      tries: sql<number>`tries + 1`,
      usedAt: sql<Date | null>`case when code_hash = ${code.codeHash} then clock_timestamp() end`,
    })
    .where('purpose', '=', code.purpose)
    .where('address', '=', code.address)
    .where('browserHash', '=', code.browserHash)
    .where('usedAt', 'is', null)
    .where('tries', '<', MAX_TRIES)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .returning('usedAt')
    .executeTakeFirst();
  if (!row) return 'none';
  return row.usedAt === null ? 'wrong' : 'right';
}

/** Makes a code count again, for the call that has just used it up; another one in its place stays as it is. */
export async function unuseCode(db: Db, { purpose, address, browserHash, codeHash }: StoredCode): Promise<void> {
  await db
    .updateTable('oneTimeCode')
    .set({ usedAt: null })
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('browserHash', '=', browserHash)
    .where('codeHash', '=', codeHash)
    .execute();
}

export async function deleteExpiredCodes(db: Db): Promise<void> {
  await db
    .deleteFrom('oneTimeCode')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
