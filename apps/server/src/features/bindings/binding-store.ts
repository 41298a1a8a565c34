import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

const inTenMinutes = sql<Date>`now() + interval '10 minutes'`;

type RequestingDevice = { publicKey: Buffer; name: string; platform: string; agentVersion: string; ip: string };

export async function insertBinding(db: Db, binding: RequestingDevice & { codeHash: Buffer }): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('bindingRequest')
    .values({ ...binding, expiresAt: inTenMinutes })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/** A request that has not been confirmed yet. */
export async function findPendingRequest(
  db: Db,
  codeHash: Buffer,
): Promise<(RequestingDevice & { expiresAt: Date }) | undefined> {
  return await db
    .selectFrom('bindingRequest')
    .select(['publicKey', 'name', 'platform', 'agentVersion', 'ip', 'expiresAt'])
    .where('codeHash', '=', codeHash)
    .where('userId', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** The name of the user who confirmed the request, null while it is pending; undefined when the request has ended. */
export async function findConfirmer(db: Db, codeHash: Buffer): Promise<{ username: string | null } | undefined> {
  return await db
    .selectFrom('bindingRequest')
    .leftJoin('userAccount', 'userAccount.id', 'bindingRequest.userId')
    .select('userAccount.username')
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** One statement, so that of two accounts that confirm at once one gets the device. The agent has ten minutes to enrol. */
export async function confirmBinding(tx: Db, codeHash: Buffer, userId: number): Promise<boolean> {
  const rows = await tx
    .updateTable('bindingRequest')
    .set({ userId, expiresAt: inTenMinutes })
    .where('codeHash', '=', codeHash)
    .where('userId', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .execute();
  return rows.length === 1;
}

/** Keeps the account that confirmed the request from being deleted until the transaction ends. */
export async function lockConfirmerForKeyShare(tx: Db, codeHash: Buffer): Promise<void> {
  await tx
    .selectFrom('bindingRequest')
    .innerJoin('userAccount', 'userAccount.id', 'bindingRequest.userId')
    .where('codeHash', '=', codeHash)
    .select('userAccount.id')
    .forKeyShare('userAccount')
    .execute();
}

/** Marks a confirmed request as used and returns the user who confirmed it; undefined for another key. */
export async function claimBinding(tx: Db, codeHash: Buffer, publicKey: Buffer): Promise<number | undefined> {
  const row = await tx
    .updateTable('bindingRequest')
    .set({ usedAt: sql<Date>`now()` })
    .where('codeHash', '=', codeHash)
    .where('publicKey', '=', publicKey)
    .where('userId', 'is not', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId ?? undefined;
}

export async function deleteExpiredBindings(db: Db): Promise<void> {
  await db
    .deleteFrom('bindingRequest')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
