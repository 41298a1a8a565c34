import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

export type PasskeyRow = {
  id: number;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** Whether it can be used without naming the account first; null when unknown. */
  isDiscoverable: boolean | null;
  /** Since the password was reset, it is accepted only beside the password or another sign-in method. */
  needsPassword: boolean;
};
export type PasskeyCredential = {
  id: number;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
};
export type NewPasskey = Omit<PasskeyCredential, 'id'> & {
  userId: number;
  rpId: string;
  name: string;
  isDiscoverable: boolean | null;
};

const publicColumns = ['id', 'name', 'createdAt', 'lastUsedAt', 'isDiscoverable', 'needsPassword'] as const;
const credentialColumns = ['id', 'credentialId', 'publicKey', 'counter', 'transports'] as const;

export async function listPasskeys(db: Db, userId: number): Promise<PasskeyRow[]> {
  return await db.selectFrom('passkey').select(publicColumns).where('userId', '=', userId).orderBy('id').execute();
}

/** The credentials that browsers offer at the console host `rpId`. */
export async function listCredentials(db: Db, userId: number, rpId: string): Promise<PasskeyCredential[]> {
  return await db
    .selectFrom('passkey')
    .select(credentialColumns)
    .where('userId', '=', userId)
    .where('rpId', '=', rpId)
    .orderBy('id')
    .execute();
}

/** The credential with its account, among those of the console host `rpId`. */
export async function findCredential(
  db: Db,
  { credentialId, rpId }: { credentialId: string; rpId: string },
): Promise<(PasskeyCredential & { userId: number }) | undefined> {
  return await db
    .selectFrom('passkey')
    .select(credentialColumns)
    .select('userId')
    .where('credentialId', '=', credentialId)
    .where('rpId', '=', rpId)
    .executeTakeFirst();
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

/**
 * Stores the signature counter of an answer. False when the counter did not grow, which means that the passkey was cloned
 * (WebAuthn Level 3 §6.1.1), and when the passkey has been deleted. Passkeys that do not count always send 0.
 */
export async function recordPasskeyUse(
  tx: Db,
  { id, counter, ...proven }: { id: number; counter: number; isDiscoverable?: true; needsPassword?: false },
): Promise<boolean> {
  const row = await tx
    .updateTable('passkey')
    .set({ counter, lastUsedAt: sql<Date>`now()`, ...proven })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the passkey may not be the only proof of a login. */
export async function needsPassword(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('passkey')
    .select('id')
    .where('id', '=', id)
    .where('needsPassword', '=', true)
    .executeTakeFirst();
  return row !== undefined;
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
