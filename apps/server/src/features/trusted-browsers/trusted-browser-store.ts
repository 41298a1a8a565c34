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

type Trusted = { userId: number; secretHash: Buffer; sessionIdHash: Buffer };

/** Inserts a row or replaces the row `formerId`, and deletes the oldest beyond the limit. The account must be locked. */
export async function saveTrusted(tx: Db, trusted: Trusted, formerId: number | undefined): Promise<void> {
  const { userId, secretHash, sessionIdHash } = trusted;
  const session = tx.selectFrom('session').where('idHash', '=', sessionIdHash).select('id');
  const { id: sessionId } = await session.executeTakeFirstOrThrow();
  const row = { userId, secretHash, sessionId, lastUsedAt: sql<Date>`now()` };
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

/** Deletes browsers in which the account has not logged in for 180 days. */
export async function deleteOldTrusted(db: Db): Promise<void> {
  // Locked rows are left to the next run, which prevents deadlocks.
  const old = db.selectFrom('trustedBrowser').where('lastUsedAt', '<', sql<Date>`now() - interval '180 days'`);
  await db.deleteFrom('trustedBrowser').where('id', 'in', old.select('id').forUpdate().skipLocked()).execute();
}
