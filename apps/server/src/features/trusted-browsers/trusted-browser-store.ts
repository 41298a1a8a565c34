import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

const MAX_PER_USER = 20;

type PresentedSecrets = { userId: number; secretHashes: readonly Buffer[] };

/** The account's trusted browser whose secret is among these. */
export async function findTrusted(
  db: Db,
  { userId, secretHashes }: PresentedSecrets,
): Promise<{ id: number; secretHash: Buffer } | undefined> {
  return await db
    .selectFrom('trustedBrowser')
    .where('userId', '=', userId)
    .where('secretHash', '=', sql<Buffer>`any(${secretHashes}::bytea[])`)
    .select(['id', 'secretHash'])
    .orderBy('lastUsedAt', 'desc')
    .executeTakeFirst();
}

/** Whether one of these secrets is that of a browser which skips the account's second step. */
export async function findSecondStepTrust(db: Db, { userId, secretHashes }: PresentedSecrets): Promise<boolean> {
  const row = await db
    .selectFrom('trustedBrowser')
    .where('userId', '=', userId)
    .where('secretHash', '=', sql<Buffer>`any(${secretHashes}::bytea[])`)
    .where('skipsSecondStepUntil', '>', sql<Date>`now()`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

type Trusted = {
  userId: number;
  secretHash: Buffer;
  sessionIdHash: Buffer;
  ip: string;
  userAgent: string;
  /** From now on for 30 days; otherwise the time that was chosen before stays. */
  skipsSecondStep: boolean;
};

/** Inserts a row or replaces the row `formerId`, and deletes the oldest beyond the limit. The account must be locked. */
export async function saveTrusted(tx: Db, trusted: Trusted, formerId: number | undefined): Promise<void> {
  const { sessionIdHash, skipsSecondStep, ...values } = trusted;
  const { userId } = values;
  const session = tx.selectFrom('session').where('idHash', '=', sessionIdHash).select('id');
  const { id: sessionId } = await session.executeTakeFirstOrThrow();
  const trust = skipsSecondStep ? { skipsSecondStepUntil: sql<Date>`now() + interval '30 days'` } : {};
  const row = { ...values, ...trust, sessionId, lastUsedAt: sql<Date>`now()` };
  if (formerId === undefined) await tx.insertInto('trustedBrowser').values(row).execute();
  else await tx.updateTable('trustedBrowser').set(row).where('id', '=', formerId).execute();
  const own = tx.selectFrom('trustedBrowser').where('userId', '=', userId).select('id');
  await tx
    .deleteFrom('trustedBrowser')
    .where('id', 'in', own.orderBy('lastUsedAt', 'desc').orderBy('id', 'desc').offset(MAX_PER_USER))
    .execute();
}

/** Deletes the account's trusted browsers, except that of the session `keptIdHash` if it is given. */
export async function deleteTrusted(tx: Db, userId: number, keptIdHash?: Buffer): Promise<void> {
  const own = tx.deleteFrom('trustedBrowser').where('userId', '=', userId);
  if (keptIdHash === undefined) await own.execute();
  else
    await own
      .where('sessionId', 'not in', tx.selectFrom('session').where('idHash', '=', keptIdHash).select('id'))
      .execute();
}

export async function deleteTrustedOfSession(tx: Db, sessionId: number): Promise<void> {
  await tx.deleteFrom('trustedBrowser').where('sessionId', '=', sessionId).execute();
}

/** From the next login on, every browser of the account needs the second step. */
export async function endSecondStepTrust(tx: Db, userId: number): Promise<void> {
  await tx.updateTable('trustedBrowser').set({ skipsSecondStepUntil: null }).where('userId', '=', userId).execute();
}

export type SkippingBrowser = {
  id: number;
  ip: string;
  userAgent: string;
  lastUsedAt: Date;
  sessionId: number;
  skipsSecondStepUntil: Date;
};

/** The browsers that skip the account's second step, the last used first. */
export async function listSkipping(db: Db, userId: number): Promise<SkippingBrowser[]> {
  return await db
    .selectFrom('trustedBrowser')
    .select(['id', 'ip', 'userAgent', 'lastUsedAt', 'sessionId'])
    .select(({ ref }) => ref('skipsSecondStepUntil').$notNull().as('skipsSecondStepUntil'))
    .where('userId', '=', userId)
    .where('skipsSecondStepUntil', '>', sql<Date>`now()`)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns whether the user had this trusted browser. */
export async function deleteTrustedById(db: Db, browser: { id: number; userId: number }): Promise<boolean> {
  const own = db.deleteFrom('trustedBrowser').where('id', '=', browser.id).where('userId', '=', browser.userId);
  return (await own.returning('id').executeTakeFirst()) !== undefined;
}

/** Deletes browsers in which the account has not logged in for 180 days. */
export async function deleteOldTrusted(db: Db): Promise<void> {
  // Locked rows are left to the next run, which prevents deadlocks.
  const old = db.selectFrom('trustedBrowser').where('lastUsedAt', '<', sql<Date>`now() - interval '180 days'`);
  await db.deleteFrom('trustedBrowser').where('id', 'in', old.select('id').forUpdate().skipLocked()).execute();
}
