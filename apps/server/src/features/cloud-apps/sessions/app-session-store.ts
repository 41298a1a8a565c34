import { type Insertable, type Selectable, sql } from 'kysely';
import type { AppFailure } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import type { Database } from '../../../db/schema.ts';

// The row's type and the query both follow from this list.
const columns = [
  ...(['id', 'appId', 'appName', 'kind', 'deviceName', 'userId', 'who', 'ip', 'userAgent'] as const),
  ...(['loginSessionId', 'startedAt', 'keptUntil', 'endedAt', 'endReason', 'bytesIn', 'bytesOut'] as const),
];
export type AppSessionRow = Pick<Selectable<Database['appSession']>, (typeof columns)[number]>;

type NewAppSession = Omit<Insertable<Database['appSession']>, 'appVersion' | 'appId' | 'userId' | 'who'> & {
  appId: number;
  userId: number;
};

/** Only a shell is worth keeping while nobody sees it. */
const terminalKinds = ['ssh', 'telnet'] as const;
/** A session that no gateway has reported for so long has ended: its page was closed, or the gateway died. */
const ABANDONED_AFTER_SECONDS = 60;
const isAbandoned = sql<boolean>`app_session.seen_at < now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS})`;

/** The open sessions of an account, over all apps. */
export async function countOpenSessions(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('appSession')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where(sql<boolean>`not ${isAbandoned}`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The caller has locked the app. Returns the session's id. */
export async function insertAppSession(tx: Db, session: NewAppSession): Promise<number> {
  const { id } = await tx
    .insertInto('appSession')
    .values({
      ...session,
      appVersion: sql<number>`(select version from cloud_app where id = ${session.appId})`,
      who: sql<string>`(select username from user_account where id = ${session.userId})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whose session, and of which login. */
export type AppSessionOwner = { appId: number; userId: number; loginSessionId: number };

/**
 * The open terminal with this id, or without one the last whose page is closed; only of the same login. Gets another
 * token, so that its former page can no longer use it. Undefined where there is none.
 */
export async function resumeAppSession(
  tx: Db,
  { appId, userId, loginSessionId }: AppSessionOwner,
  { id, tokenHash }: { id: number | undefined; tokenHash: Buffer },
): Promise<number | undefined> {
  const found = tx
    .selectFrom('appSession')
    .where('appId', '=', appId)
    .where('userId', '=', userId)
    .where('loginSessionId', '=', loginSessionId)
    .where('kind', 'in', terminalKinds)
    .where('endedAt', 'is', null)
    .where(sql<boolean>`not ${isAbandoned}`)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .$if(id === undefined, (query) => query.where('keptUntil', '>', sql<Date>`now()`))
    .select('id')
    .orderBy('keptUntil', (order) => order.desc().nullsLast())
    .limit(1)
    .forUpdate();
  const resumed = await tx
    .updateTable('appSession')
    .set({ tokenHash, keptUntil: null })
    .where('id', 'in', found)
    .returning('id')
    .executeTakeFirst();
  return resumed?.id;
}

/** What its gateway says: until when a terminal runs on without a page. Undefined when it has ended. */
export async function storeKept(
  db: Db,
  { sessionId, seconds }: { sessionId: number; seconds: number | null },
): Promise<SessionUsers | undefined> {
  return await db
    .updateTable('appSession')
    .set({ keptUntil: seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .returning(['ownerId', 'userId'])
    .executeTakeFirst();
}

/** Whose sessions are listed: those that the user opened, and those on the user's devices. */
export type AppSessionFilter = { userId: number; isOpen: boolean };

function selectFiltered(db: Db, { userId, isOpen }: AppSessionFilter) {
  return db
    .selectFrom('appSession')
    .where((eb) => eb.or([eb('ownerId', '=', userId), eb('userId', '=', userId)]))
    .$if(isOpen, (query) => query.where('endedAt', 'is', null));
}

/** Latest first. */
export async function listAppSessions(
  db: Db,
  filter: AppSessionFilter,
  page: { limit: number; offset: number },
): Promise<AppSessionRow[]> {
  return await selectFiltered(db, filter)
    .select(columns)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countAppSessions(db: Db, filter: AppSessionFilter): Promise<number> {
  const { count } = await selectFiltered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whose consoles list a session. */
export type SessionUsers = { ownerId: number; userId: number | null };

/** The session, if the user opened it or owns its device; locked until the transaction ends. */
export async function findAppSessionForUpdate(
  tx: Db,
  { id, userId }: { id: number; userId: number },
): Promise<(SessionUsers & { endedAt: Date | null }) | undefined> {
  return await selectFiltered(tx, { userId, isOpen: false })
    .where('id', '=', id)
    .select(['ownerId', 'userId', 'endedAt'])
    .forUpdate()
    .executeTakeFirst();
}

/** Undefined when it has already ended. */
export async function endAppSession(
  db: Db,
  { id, reason }: { id: number; reason: AppFailure },
): Promise<SessionUsers | undefined> {
  return await db
    .updateTable('appSession')
    .set({ endedAt: sql<Date>`now()`, endReason: reason })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning(['ownerId', 'userId'])
    .executeTakeFirst();
}

/** Ends the sessions that no gateway reports any more. Locked ones are left to the next run. */
export async function markAbandonedEnded(db: Db): Promise<SessionUsers[]> {
  const abandoned = db.selectFrom('appSession').where('endedAt', 'is', null).where(isAbandoned);
  return await db
    .updateTable('appSession')
    .set({ endedAt: sql<Date>`now()`, endReason: 'abandoned' })
    .where('id', 'in', abandoned.select('id').forUpdate().skipLocked())
    .returning(['ownerId', 'userId'])
    .execute();
}

/** Deletes records after as long as verifications are kept. */
export async function deleteOldAppSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('appSession')
    .where(sql<boolean>`ended_at < now() - interval '90 days'`)
    .execute();
}
