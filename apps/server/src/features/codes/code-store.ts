import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Only the browser that requested the code can try it; `browserHash` identifies it. */
export type StoredCode = { purpose: string; address: string; browserHash: Buffer; codeHash: Buffer };
export type TryResult = 'right' | 'wrong' | 'none';

const MAX_TRIES = 5;
const LIFETIME_SECONDS = 300;

/** Replaces this browser's earlier code for the same purpose and address. */
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

/** Counts a try and, if it is right, marks the code as used. `none` means that there is no valid code. */
export async function tryCode(db: Db, code: StoredCode): Promise<TryResult> {
  // One statement: of any number of tries at the same time five are checked, and one succeeds.
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

/** Makes a used code valid again, for the call that has just used it. A newer code in its place stays as it is. */
export async function restoreCode(db: Db, { purpose, address, browserHash, codeHash }: StoredCode): Promise<void> {
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
