import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type SessionRow = FlaggedAccount & {
  id: number;
  userId: number;
  idHash: Buffer;
  /** Proven again who it is, not long ago. */
  isConfirmed: boolean;
  /** Not seen for over a minute: its life is due to be prolonged. */
  isStale: boolean;
};

export type NewSession = { idHash: Buffer; userId: number; ip: string; userAgent: string; isConfirmed: boolean };

const lifetime = sql<Date>`now() + interval '30 days'`;
const confirmedUntil = sql<Date>`now() + interval '10 minutes'`;

export async function insertSession(db: Db, { isConfirmed, ...session }: NewSession): Promise<{ id: number }> {
  return await db
    .insertInto('session')
    .values({ ...session, expiresAt: lifetime, confirmedUntil: isConfirmed ? confirmedUntil : null })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Those of these that live, in any order. */
export async function findSessions(db: Db, idHashes: readonly Buffer[]): Promise<SessionRow[]> {
  if (idHashes.length === 0) return [];
  return await db
    .selectFrom('session')
    .innerJoin('userAccount', 'userAccount.id', 'session.userId')
    .select(['session.id', 'session.userId', 'session.idHash'])
    .select(['userAccount.isStaff', 'userAccount.isPromoter', 'userAccount.isSuperuser'])
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

/** Those that live, in any order. */
export async function listSessionIds(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .execute();
  return rows.map(({ id }) => id);
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
