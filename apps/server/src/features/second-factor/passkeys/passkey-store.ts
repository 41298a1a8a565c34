import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

export type PasskeyRow = { id: number; name: string; createdAt: Date; lastUsedAt: Date | null };
export type PasskeyCredential = {
  id: number;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
};
export type NewPasskey = Omit<PasskeyCredential, 'id'> & { userId: number; rpId: string; name: string };

const publicColumns = ['id', 'name', 'createdAt', 'lastUsedAt'] as const;

export async function listPasskeys(db: Db, userId: number): Promise<PasskeyRow[]> {
  return await db.selectFrom('passkey').select(publicColumns).where('userId', '=', userId).orderBy('id').execute();
}

/** The credentials that browsers offer at the console host `rpId`. */
export async function listCredentials(db: Db, userId: number, rpId: string): Promise<PasskeyCredential[]> {
  return await db
    .selectFrom('passkey')
    .select(['id', 'credentialId', 'publicKey', 'counter', 'transports'])
    .where('userId', '=', userId)
    .where('rpId', '=', rpId)
    .orderBy('id')
    .execute();
}

export async function countPasskeys(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('passkey')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Undefined when the credential is already registered, with this or another account. */
export async function insertPasskey(tx: Db, passkey: NewPasskey): Promise<PasskeyRow | undefined> {
  return await tx
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning(publicColumns)
    .executeTakeFirst();
}

export async function recordPasskeyUse(tx: Db, id: number, counter: number): Promise<void> {
  await tx
    .updateTable('passkey')
    .set({ counter: sql<number>`greatest(counter, ${counter}::bigint)`, lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function renamePasskey(
  db: Db,
  { id, userId, name }: { id: number; userId: number; name: string },
): Promise<PasskeyRow | undefined> {
  return await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(publicColumns)
    .executeTakeFirst();
}

/** Returns whether the user had this passkey. */
export async function deletePasskey(tx: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteAllPasskeys(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('passkey').where('userId', '=', userId).execute();
}
