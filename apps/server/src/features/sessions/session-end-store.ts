import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockTicketsForUpdate } from '../../db/lock-tickets.ts';

/** Which logins end. */
export type Ending =
  | { idHashes: readonly Buffer[] }
  | { userId: number; id: number }
  | { userId: number; butIdHash: Buffer }
  | { userId: number; butNewest: number }
  | { userId: number };

export type LockedSession = { id: number; idHash: Buffer; userId: number };

/** Waits for who is just coming in by them; nobody does afterwards. */
export async function lockSessionsForUpdate(tx: Db, ending: Ending): Promise<LockedSession[]> {
  // In one order, since several may end the same ones.
  return await selectEnding(tx, ending).select(['id', 'idHash', 'userId']).orderBy('id').forUpdate().execute();
}

function selectEnding(tx: Db, ending: Ending) {
  const sessions = tx.selectFrom('session');
  if ('idHashes' in ending) return sessions.where('idHash', '=', sql<Buffer>`any(${ending.idHashes}::bytea[])`);
  const own = sessions.where('userId', '=', ending.userId);
  if ('id' in ending) return own.where('id', '=', ending.id);
  if ('butIdHash' in ending) return own.where('idHash', '!=', ending.butIdHash);
  if (!('butNewest' in ending)) return own;
  const seenLongestAgo = own.select('id').orderBy('lastSeenAt', 'desc').orderBy('id', 'desc').offset(ending.butNewest);
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
    await lockTicketsForUpdate(tx, { sessionIds: sessions.map((session) => session.id) });
    await deleteLockedSessions(tx, sessions);
  });
}
