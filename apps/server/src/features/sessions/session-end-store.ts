import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockTicketsForUpdate } from '../../db/lock-tickets.ts';

/** Selects the sessions to end. */
export type SessionSelection =
  | { idHashes: readonly Buffer[] }
  | { userId: number; id: number }
  | { userId: number; exceptIdHash: Buffer }
  | { userId: number; exceptNewest: number }
  | { userId: number };

export type LockedSession = { id: number; idHash: Buffer; userId: number };

/** Locks the sessions. Waits for verifications in progress that use them, and blocks new ones. */
export async function findSessionsForUpdate(tx: Db, selection: SessionSelection): Promise<LockedSession[]> {
  // Ordered, so that concurrent calls that lock the same rows do not deadlock.
  return await selectSessions(tx, selection).select(['id', 'idHash', 'userId']).orderBy('id').forUpdate().execute();
}

function selectSessions(tx: Db, selection: SessionSelection) {
  const sessions = tx.selectFrom('session');
  if ('idHashes' in selection) return sessions.where('idHash', '=', sql<Buffer>`any(${selection.idHashes}::bytea[])`);
  const own = sessions.where('userId', '=', selection.userId);
  if ('id' in selection) return own.where('id', '=', selection.id);
  if ('exceptIdHash' in selection) return own.where('idHash', '!=', selection.exceptIdHash);
  if (!('exceptNewest' in selection)) return own;
  const seenLongestAgo = own
    .select('id')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .offset(selection.exceptNewest);
  return own.where('id', 'in', seenLongestAgo);
}

/** NOTE: for endSessions, which also revokes the verifications, and for expired sessions. */
export async function deleteLockedSessions(tx: Db, sessions: readonly LockedSession[]): Promise<void> {
  const ids = sessions.map((session) => session.id);
  await tx
    .deleteFrom('session')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .execute();
}

/** Deletes expired sessions. Their verifications stay valid until their own expiry. Skips sessions that a call is ending. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const expired = tx.selectFrom('session').where('expiresAt', '<=', sql<Date>`now()`);
    const sessions = await expired.select(['id', 'idHash', 'userId']).orderBy('id').forUpdate().skipLocked().execute();
    await lockTicketsForUpdate(tx, { sessionIds: sessions.map((session) => session.id) });
    await deleteLockedSessions(tx, sessions);
  });
}
