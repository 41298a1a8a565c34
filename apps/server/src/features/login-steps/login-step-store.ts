import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** What a browser sends for a pending login: the token, and its cookies, of which one must match. */
export type LoginStepCredentials = { tokenHash: Buffer; browserHashes: readonly Buffer[] };
type NewLoginStep = { tokenHash: Buffer; browserHash: Buffer; userId: number };

const MAX_TRIES = 5;

export async function insertLoginStep(db: Db, step: NewLoginStep): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('loginStep')
    .values({ ...step, expiresAt: sql<Date>`now() + interval '5 minutes'` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/** The user of the pending login; undefined when it has expired, was ended or belongs to another browser. */
export async function findLoginStep(db: Db, credentials: LoginStepCredentials): Promise<number | undefined> {
  const row = await selectPending(db, credentials).select('userId').executeTakeFirst();
  return row?.userId;
}

/** Counts a try before it is checked, so that concurrent calls cannot exceed MAX_TRIES. Returns the user. */
export async function claimLoginStepTry(db: Db, credentials: LoginStepCredentials): Promise<number | undefined> {
  const row = await db
    .updateTable('loginStep')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tokenHash', '=', credentials.tokenHash)
    .where('browserHash', 'in', credentials.browserHashes)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('tries', '<', MAX_TRIES)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}

/** Uses the step. One statement, so that of two concurrent right answers one logs in. */
export async function claimLoginStep(tx: Db, credentials: LoginStepCredentials): Promise<boolean> {
  const row = await tx
    .updateTable('loginStep')
    .set({ usedAt: sql<Date>`now()` })
    .where('tokenHash', '=', credentials.tokenHash)
    .where('browserHash', 'in', credentials.browserHashes)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the account's pending logins, because what passed their first step may have become invalid. */
export async function deleteLoginSteps(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('loginStep').where('userId', '=', userId).execute();
}

export async function deleteExpiredLoginSteps(db: Db): Promise<void> {
  await db
    .deleteFrom('loginStep')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}

function selectPending(db: Db, credentials: LoginStepCredentials) {
  return db
    .selectFrom('loginStep')
    .where('tokenHash', '=', credentials.tokenHash)
    .where('browserHash', 'in', credentials.browserHashes)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`);
}
