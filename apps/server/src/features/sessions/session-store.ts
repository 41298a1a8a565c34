import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type SessionRow = {
  userId: number;
  isStaff: boolean;
  isPromoter: boolean;
  isSuperuser: boolean;
  /** Not seen for over a minute: its life is due to be prolonged. */
  isStale: boolean;
};

export type NewSession = { idHash: Buffer; userId: number; ip: string; userAgent: string };

const lifetime = sql<Date>`now() + interval '30 days'`;

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...session, expiresAt: lifetime })
    .execute();
}

export async function findSession(db: Db, idHash: Buffer): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('session')
    .innerJoin('userAccount', 'userAccount.id', 'session.userId')
    .select(['session.userId', 'userAccount.isStaff', 'userAccount.isPromoter', 'userAccount.isSuperuser'])
    .select(sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .where('session.idHash', '=', idHash)
    .where('session.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

export async function prolongSession(db: Db, idHash: Buffer): Promise<void> {
  await db
    .updateTable('session')
    .set({ lastSeenAt: sql<Date>`now()`, expiresAt: lifetime })
    .where('idHash', '=', idHash)
    .execute();
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('idHash', '=', idHash).execute();
}

export async function deleteOtherSessions(db: Db, userId: number, keptIdHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).where('idHash', '!=', keptIdHash).execute();
}

export async function deleteAllSessions(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute();
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('session')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
