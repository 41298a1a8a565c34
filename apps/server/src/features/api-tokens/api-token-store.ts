import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type ApiTokenRow = {
  id: number;
  name: string;
  hint: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

export type ApiTokenOwner = FlaggedAccount & {
  id: number;
  userId: number;
  scopes: string[];
  /** The recorded last use is missing or more than a minute ago. */
  isLastUseStale: boolean;
};

const columns = ['id', 'name', 'hint', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

export async function listApiTokens(db: Db, userId: number): Promise<ApiTokenRow[]> {
  return await db.selectFrom('apiToken').select(columns).where('userId', '=', userId).orderBy('id', 'desc').execute();
}

export async function findTokenOwner(db: Db, tokenHash: Buffer): Promise<ApiTokenOwner | undefined> {
  return await db
    .selectFrom('apiToken')
    .innerJoin('userAccount', 'userAccount.id', 'apiToken.userId')
    .select(['apiToken.id', 'apiToken.userId', 'apiToken.scopes'])
    .select(['userAccount.isStaff', 'userAccount.isPromoter', 'userAccount.isSuperuser'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isLastUseStale'))
    .where('tokenHash', '=', tokenHash)
    .where('userAccount.disabledAt', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst();
}

export async function recordTokenUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('apiToken')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export type NewApiToken = {
  userId: number;
  name: string;
  hint: string;
  tokenHash: Buffer;
  scopes: string[];
  validDays: number | null;
};

/** Undefined when the user already has `max`. Call it in a transaction: the lock makes concurrent calls count one by one. */
export async function insertApiToken(tx: Db, token: NewApiToken, max: number): Promise<ApiTokenRow | undefined> {
  const { validDays, ...values } = token;
  await lockUserForUpdate(tx, token.userId);
  const { count } = await tx
    .selectFrom('apiToken')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', token.userId)
    .executeTakeFirstOrThrow();
  if (count >= max) return undefined;
  const expiresAt = validDays === null ? null : sql<Date>`now() + make_interval(days => ${validDays}::integer)`;
  return await tx
    .insertInto('apiToken')
    .values({ ...values, expiresAt })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns whether the user had this token. */
export async function deleteApiToken(db: Db, token: { id: number; userId: number }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('apiToken')
    .where('id', '=', token.id)
    .where('userId', '=', token.userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAllApiTokens(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('apiToken').where('userId', '=', userId).execute();
}
