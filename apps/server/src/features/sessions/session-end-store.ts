import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockTickets } from '../../db/lock-tickets.ts';

/** Which logins end. */
export type SessionSelection =
  | { idHashes: readonly Buffer[] }
  | { userId: number; id: number }
  | { userId: number; exceptIdHash: Buffer }
  | { userId: number; exceptNewest: number }
  | { userId: number };

export type LockedSession = { id: number; idHash: Buffer; userId: number };

/** Waits for who is just coming in by them; nobody does afterwards. */
export async function findSessionsForUpdate(tx: Db, selection: SessionSelection): Promise<LockedSession[]> {
  // In one order, since several may end the same ones.
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

/** NOTE: for endSessions, which ends what they opened as well, and for those whose time is over. */
export async function deleteLockedSessions(tx: Db, sessions: readonly LockedSession[]): Promise<void> {
  const ids = sessions.map((session) => session.id);
  await tx
    .deleteFrom('session')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .execute();
}

/** Nobody ended these: what they opened counts until its own time is over. Those that somebody just ends are left to them. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const expired = tx.selectFrom('session').where('expiresAt', '<=', sql<Date>`now()`);
    const sessions = await expired.select(['id', 'idHash', 'userId']).orderBy('id').forUpdate().skipLocked().execute();
    await lockTickets(tx, { sessionIds: sessions.map((session) => session.id) });
    await deleteLockedSessions(tx, sessions);
  });
}
