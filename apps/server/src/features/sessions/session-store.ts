import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type SessionRow = FlaggedAccount & {
  id: number;
  userId: number;
  idHash: Buffer;
  /** Whether the user has confirmed their identity within the last ten minutes. */
  isConfirmed: boolean;
  /** Last seen over a minute ago, so that its expiry has to be extended. */
  needsExtension: boolean;
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

/** The sessions with these ids that have not expired, in any order. */
export async function findSessions(db: Db, idHashes: readonly Buffer[]): Promise<SessionRow[]> {
  if (idHashes.length === 0) return [];
  return await db
    .selectFrom('session')
    .innerJoin('userAccount', 'userAccount.id', 'session.userId')
    .select(['session.id', 'session.userId', 'session.idHash'])
    .select(['userAccount.isStaff', 'userAccount.isPromoter', 'userAccount.isSuperuser'])
    .select(sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as('needsExtension'))
    .select(sql<boolean>`coalesce(session.confirmed_until > now(), false)`.as('isConfirmed'))
    .where('session.idHash', 'in', idHashes)
    .where('userAccount.disabledAt', 'is', null)
    .where('session.expiresAt', '>', sql<Date>`now()`)
    .execute();
}

export async function extendSession(db: Db, idHash: Buffer): Promise<void> {
  await db
    .updateTable('session')
    .set({ lastSeenAt: sql<Date>`now()`, expiresAt: lifetime })
    .where('idHash', '=', idHash)
    .execute();
}

/** Replaces the session's id. False when the session no longer exists. */
export async function updateSessionId(db: Db, idHash: Buffer, newIdHash: Buffer): Promise<boolean> {
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

/** Until when the session is confirmed; undefined when it is not. */
export async function findConfirmedUntil(db: Db, idHash: Buffer): Promise<Date | undefined> {
  const row = await db
    .selectFrom('session')
    .select('confirmedUntil')
    .where('idHash', '=', idHash)
    .where('confirmedUntil', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.confirmedUntil ?? undefined;
}

export async function hasSession(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('session').where('id', '=', id).select('id').executeTakeFirst()) !== undefined;
}

/** The ids of the user's sessions that have not expired, in any order. */
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

/** The user's sessions that have not expired, the last seen first. */
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
