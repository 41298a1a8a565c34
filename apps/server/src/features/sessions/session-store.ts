import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { notify } from '../../db/notify.ts';

export type SessionRow = {
  userId: number;
  idHash: Buffer;
  isStaff: boolean;
  isPromoter: boolean;
  isSuperuser: boolean;
  /** Proven again who it is, not long ago. */
  isConfirmed: boolean;
  /** Not seen for over a minute: its life is due to be prolonged. */
  isStale: boolean;
};

export type NewSession = { idHash: Buffer; userId: number; ip: string; userAgent: string };

const lifetime = sql<Date>`now() + interval '30 days'`;
const confirmedUntil = sql<Date>`now() + interval '10 minutes'`;

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...session, expiresAt: lifetime, confirmedUntil })
    .execute();
}

/** Those of these that live, in any order. */
export async function findSessions(db: Db, idHashes: readonly Buffer[]): Promise<SessionRow[]> {
  if (idHashes.length === 0) return [];
  return await db
    .selectFrom('session')
    .innerJoin('userAccount', 'userAccount.id', 'session.userId')
    .select([
      'session.userId',
      'session.idHash',
      'userAccount.isStaff',
      'userAccount.isPromoter',
      'userAccount.isSuperuser',
    ])
    .select(sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .select(sql<boolean>`coalesce(session.confirmed_until > now(), false)`.as('isConfirmed'))
    .where('session.idHash', 'in', idHashes)
    .where('session.expiresAt', '>', sql<Date>`now()`)
    .execute();
}

export async function prolongSession(db: Db, idHash: Buffer): Promise<void> {
  await db
    .updateTable('session')
    .set({ lastSeenAt: sql<Date>`now()`, expiresAt: lifetime })
    .where('idHash', '=', idHash)
    .execute();
}

/** Returns whether it still was there. */
export async function moveSession(db: Db, idHash: Buffer, newIdHash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('session')
    .set({ idHash: newIdHash })
    .where('idHash', '=', idHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function confirmSession(db: Db, idHash: Buffer): Promise<void> {
  await db.updateTable('session').set({ confirmedUntil }).where('idHash', '=', idHash).execute();
}

/** Until when the session counts as confirmed; undefined when it does not. */
export async function findConfirmedUntil(db: Db, idHash: Buffer): Promise<Date | undefined> {
  const row = await db
    .selectFrom('session')
    .select('confirmedUntil')
    .where('idHash', '=', idHash)
    .where('confirmedUntil', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.confirmedUntil ?? undefined;
}

export async function deleteSessions(db: Db, idHashes: readonly Buffer[]): Promise<void> {
  if (idHashes.length === 0) return;
  const rows = await db.deleteFrom('session').where('idHash', 'in', idHashes).returning('userId').execute();
  await tellOpenPages(db, rows);
}

export type ListedSession = {
  id: number;
  idHash: Buffer;
  ip: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
};

/** Those that live, the one that was seen last first. */
export async function listSessions(db: Db, userId: number): Promise<ListedSession[]> {
  return await db
    .selectFrom('session')
    .select(['id', 'idHash', 'ip', 'userAgent', 'createdAt', 'lastSeenAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Undefined when this user has none with this id. */
export async function deleteSessionById(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<{ idHash: Buffer } | undefined> {
  const rows = await db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(['userId', 'idHash'])
    .execute();
  await tellOpenPages(db, rows);
  return rows[0];
}

export async function deleteOtherSessions(db: Db, userId: number, keptIdHash: Buffer): Promise<void> {
  const others = db.deleteFrom('session').where('userId', '=', userId).where('idHash', '!=', keptIdHash);
  await tellOpenPages(db, await others.returning('userId').execute());
  await deleteLoginSteps(db, userId);
}

export async function deleteAllSessions(db: Db, userId: number): Promise<void> {
  const all = db.deleteFrom('session').where('userId', '=', userId);
  await tellOpenPages(db, await all.returning('userId').execute());
  await deleteLoginSteps(db, userId);
}

/** Ends those that were seen longest ago, but `kept`. */
export async function deleteOldestSessions(db: Db, { userId, kept }: { userId: number; kept: number }): Promise<void> {
  const oldest = db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .offset(kept);
  const rows = await db.deleteFrom('session').where('id', 'in', oldest).returning('userId').execute();
  await tellOpenPages(db, rows);
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('session')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}

/** Logins that wait for their second step: what proved the first may not be worth anything any more. */
async function deleteLoginSteps(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('loginStep').where('userId', '=', userId).execute();
}

/** The event streams of sessions that are gone end at once, in every server process. */
async function tellOpenPages(db: Db, ended: { userId: number }[]): Promise<void> {
  if (ended.length > 0) await notify(db, 'session_ended', {});
}
