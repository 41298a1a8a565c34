import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type ManagedUserRow = FlaggedAccount & {
  id: number;
  username: string;
  email: string;
  phoneNumber: string | null;
  createdAt: Date;
};

/** The flags to change. */
export type FlagChange = { [Flag in keyof FlaggedAccount]?: boolean | undefined };

const columns = [
  'id',
  'username',
  'email',
  'phoneNumber',
  'isStaff',
  'isPromoter',
  'isSuperuser',
  'createdAt',
] as const;

export async function listManagedUsers(
  db: Db,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ManagedUserRow[]> {
  return await selectMatching(db, search).select(columns).orderBy('id').limit(limit).offset(offset).execute();
}

export async function countManagedUsers(db: Db, search: string): Promise<number> {
  const { count } = await selectMatching(db, search)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function selectMatching(db: Db, search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return db
    .selectFrom('userAccount')
    .where((eb) =>
      eb.or([eb('username', 'ilike', pattern), eb('email', 'ilike', pattern), eb('phoneNumber', 'like', pattern)]),
    );
}

export async function findManagedUser(db: Db, userId: number): Promise<ManagedUserRow | undefined> {
  return await db.selectFrom('userAccount').select(columns).where('id', '=', userId).executeTakeFirst();
}

/** Finds an account by its name, not by phone or e-mail, in any case. */
export async function findUserIdByName(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .select('id')
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .executeTakeFirst();
  return row?.id;
}

export async function setFlags(tx: Db, userId: number, flags: FlaggedAccount): Promise<void> {
  const { isStaff, isPromoter, isSuperuser } = flags;
  await tx.updateTable('userAccount').set({ isStaff, isPromoter, isSuperuser }).where('id', '=', userId).execute();
}
