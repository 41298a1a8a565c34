import type { Db } from '../../db/driver.ts';

export type FrpcAccountRow = { userId: number; login: string; tokenSealed: Buffer };

const columns = ['userId', 'login', 'tokenSealed'] as const;

export async function findFrpcAccount(db: Db, userId: number): Promise<FrpcAccountRow | undefined> {
  return await db.selectFrom('frpcAccount').where('userId', '=', userId).select(columns).executeTakeFirst();
}

export async function findFrpcAccountByLogin(db: Db, login: string): Promise<FrpcAccountRow | undefined> {
  return await db.selectFrom('frpcAccount').where('login', '=', login).select(columns).executeTakeFirst();
}

/** Undefined when the login is taken. The caller has locked the account. */
export async function insertFrpcAccount(tx: Db, account: FrpcAccountRow): Promise<FrpcAccountRow | undefined> {
  return await tx
    .insertInto('frpcAccount')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function updateAccountToken(tx: Db, account: { userId: number; tokenSealed: Buffer }): Promise<void> {
  const { userId, tokenSealed } = account;
  await tx.updateTable('frpcAccount').set({ tokenSealed }).where('userId', '=', userId).execute();
}

/** The devices of the user whose own frpc.toml manages the mappings. Nobody changes them until the transaction ends. */
export async function listTomlDevicesForUpdate(tx: Db, userId: number): Promise<{ id: number; uid: string }[]> {
  return await tx
    .selectFrom('device')
    .where('userId', '=', userId)
    .where('frpcLogin', 'is not', null)
    .select(['id', 'uid'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function findDeviceByFrpcLogin(tx: Db, frpcLogin: string): Promise<{ id: number } | undefined> {
  return await tx.selectFrom('device').where('frpcLogin', '=', frpcLogin).select('id').executeTakeFirst();
}
