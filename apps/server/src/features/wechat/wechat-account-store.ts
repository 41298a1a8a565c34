import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { WechatIdentity } from '../sso/index.ts';

/** Finds the user by the union id, otherwise by the open id within the app. */
export async function findWechatUser(db: Db, { appId, openId, unionId }: WechatIdentity): Promise<number | undefined> {
  const row = await db
    .selectFrom('wechatAccount')
    .select('userId')
    .where((where) =>
      where.or([where('unionId', '=', unionId), where.and([where('appId', '=', appId), where('openId', '=', openId)])]),
    )
    .orderBy(sql`union_id is not distinct from ${unionId}::text`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.userId;
}

/** Lets one transaction at a time bind this identity. */
export async function lockWechatIdentity(tx: Db, { appId, openId, unionId }: WechatIdentity): Promise<void> {
  const name = `wechat ${unionId ?? `${appId} ${openId}`}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Replaces an earlier binding of the account. Violates a unique constraint when another account has the identity. */
export async function upsertWechatAccount(tx: Db, userId: number, identity: WechatIdentity): Promise<void> {
  await tx
    .insertInto('wechatAccount')
    .values({ userId, ...identity })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...identity, boundAt: sql<Date>`now()` }))
    .execute();
}

/** WeChat sends the union id only after the operator has linked the app to an open platform account. */
export async function refreshWechatAccount(tx: Db, userId: number, identity: WechatIdentity): Promise<void> {
  await tx
    .updateTable('wechatAccount')
    .set({ nickname: identity.nickname, unionId: sql<string | null>`coalesce(union_id, ${identity.unionId}::text)` })
    .where('userId', '=', userId)
    .execute();
}

export async function findWechatBinding(
  db: Db,
  userId: number,
): Promise<{ nickname: string; boundAt: Date } | undefined> {
  return await db
    .selectFrom('wechatAccount')
    .select(['nickname', 'boundAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

export async function deleteWechatAccount(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('wechatAccount').where('userId', '=', userId).execute();
}

/** Locks the account, so that two changes at once cannot remove its last two sign-in methods. */
export async function hasOtherSignInMethodForUpdate(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('userAccount')
    .select(['passwordHash', 'phoneNumber'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && (row.passwordHash !== null || row.phoneNumber !== null);
}
