import type { EnrolmentKey } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';

export type EnrolmentKeyRow = {
  id: number;
  name: string;
  deviceName: string;
  hint: string;
  isReusable: boolean;
  useCount: number;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  state: EnrolmentKey['state'];
};

const columns = [
  ...(['id', 'name', 'deviceName', 'hint', 'isReusable', 'useCount'] as const),
  ...(['createdAt', 'expiresAt', 'lastUsedAt'] as const),
] as const;

const isActive = sql<boolean>`(expires_at > now() and (is_reusable or use_count = 0))`;
const state = sql<EnrolmentKey['state']>`
  case when use_count > 0 and not is_reusable then 'used' when expires_at > now() then 'active' else 'expired' end`;

/** Those that still enrol, and those that did; the newest first. */
export async function listEnrolmentKeys(db: Db, userId: number): Promise<EnrolmentKeyRow[]> {
  const own = db.selectFrom('enrolmentKey').where('userId', '=', userId);
  const listed = own.where(sql<boolean>`(use_count > 0 or ${isActive})`);
  return await listed.select(columns).select(state.as('state')).orderBy('id', 'desc').execute();
}

export type NewEnrolmentKey = {
  userId: number;
  name: string;
  deviceName: string;
  hint: string;
  keyHash: Buffer;
  isReusable: boolean;
  validHours: number;
};

/**
 * Inserts a key, and deletes the oldest used ones that have ended beyond `maxEnded`. Undefined when the user has `maxActive` that
 * still enrol. Call it in a transaction: the lock makes concurrent calls count one by one.
 */
export async function insertEnrolmentKey(
  tx: Db,
  { validHours, ...values }: NewEnrolmentKey,
  { maxActive, maxEnded }: { maxActive: number; maxEnded: number },
): Promise<EnrolmentKeyRow | undefined> {
  const { userId } = values;
  await lockUserForUpdate(tx, userId);
  const own = tx.selectFrom('enrolmentKey').where('userId', '=', userId);
  const active = own.where(isActive).select(sql<number>`count(*)`.as('count'));
  if ((await active.executeTakeFirstOrThrow()).count >= maxActive) return undefined;
  const ended = own
    .where(sql<boolean>`(use_count > 0 and not ${isActive})`)
    .select('id')
    .orderBy('id', 'desc')
    .offset(maxEnded);
  await tx.deleteFrom('enrolmentKey').where('id', 'in', ended).execute();
  return await tx
    .insertInto('enrolmentKey')
    .values({ ...values, expiresAt: sql<Date>`now() + make_interval(hours => ${validHours}::integer)` })
    .returning(columns)
    .returning(state.as('state'))
    .executeTakeFirstOrThrow();
}

/** Returns whether the user had this key. */
export async function deleteEnrolmentKey(db: Db, key: { id: number; userId: number }): Promise<boolean> {
  const own = db.deleteFrom('enrolmentKey').where('id', '=', key.id).where('userId', '=', key.userId);
  return (await own.returning('id').executeTakeFirst()) !== undefined;
}

export async function deleteAllEnrolmentKeys(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('enrolmentKey').where('userId', '=', userId).execute();
}

/** Keeps the key's account from being deleted until the transaction ends. */
export async function lockKeyOwnerForKeyShare(tx: Db, keyHash: Buffer): Promise<void> {
  await tx
    .selectFrom('enrolmentKey')
    .innerJoin('userAccount', 'userAccount.id', 'enrolmentKey.userId')
    .where('keyHash', '=', keyHash)
    .select('userAccount.id')
    .forKeyShare('userAccount')
    .execute();
}

/** One statement, so that of several concurrent agents with one single-use key one enrols. */
export async function claimEnrolmentKey(
  tx: Db,
  keyHash: Buffer,
): Promise<{ userId: number; deviceName: string } | undefined> {
  return await tx
    .updateTable('enrolmentKey')
    .set((eb) => ({ useCount: eb('useCount', '+', 1), lastUsedAt: sql<Date>`now()` }))
    .where('keyHash', '=', keyHash)
    .where(isActive)
    .returning(['userId', 'deviceName'])
    .executeTakeFirst();
}

export async function findKeyByHash(
  db: Db,
  keyHash: Buffer,
): Promise<{ userId: number; state: EnrolmentKey['state'] } | undefined> {
  const known = db.selectFrom('enrolmentKey').where('keyHash', '=', keyHash);
  return await known.select(['userId', state.as('state')]).executeTakeFirst();
}

/** Deletes expired keys that nobody used, and others 30 days after their end: until then the list shows them. */
export async function deleteOldEnrolmentKeys(db: Db): Promise<void> {
  const old = db
    .selectFrom('enrolmentKey')
    .where(sql<boolean>`not ${isActive}`)
    .where(
      sql<boolean>`(use_count = 0
        or least(expires_at, case when not is_reusable then last_used_at end) < now() - interval '30 days')`,
    );
  // Locked rows are left to the next run, which prevents deadlocks.
  await db.deleteFrom('enrolmentKey').where('id', 'in', old.select('id').forUpdate().skipLocked()).execute();
}
