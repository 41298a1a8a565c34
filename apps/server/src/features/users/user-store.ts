import { skeletonOf } from '@tongtu/base';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type UserRow = {
  id: number;
  username: string;
  email: string;
  isStaff: boolean;
  isPromoter: boolean;
  isSuperuser: boolean;
  acceptedTermsOfService: boolean;
  acceptedTermsOfPayment: boolean;
  readedAnnouncementId: number;
  phoneNumber: string | null;
  phoneBoundAt: Date | null;
};

export type UserPatch = {
  username?: string | undefined;
  acceptedTermsOfService?: boolean | undefined;
  acceptedTermsOfPayment?: boolean | undefined;
  readedAnnouncementId?: number | undefined;
};

const userColumns = [
  'id',
  'username',
  'email',
  'isStaff',
  'isPromoter',
  'isSuperuser',
  'acceptedTermsOfService',
  'acceptedTermsOfPayment',
  'readedAnnouncementId',
  'phoneNumber',
  'phoneBoundAt',
] as const;

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return await db.selectFrom('userAccount').select(userColumns).where('id', '=', id).executeTakeFirst();
}

export async function updateUser(db: Db, id: number, patch: UserPatch): Promise<UserRow | undefined> {
  const { readedAnnouncementId: readedId = 0, ...fields } = patch;
  const { username } = patch;
  const name = username === undefined ? {} : { usernameSkeleton: skeletonOf(username) };
  return await db
    .updateTable('userAccount')
    // Two open pages may report in any order, so the number only grows.
    .set({
      ...fields,
      ...name,
      readedAnnouncementId: sql<number>`greatest(readed_announcement_id, ${readedId}::integer)`,
    })
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirst();
}

/** Keeps when the terms of payment were accepted, and in which version. The first time of a version stays. */
export async function recordPaymentTerms(tx: Db, userId: number, version: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ paymentTermsVersion: version, paymentTermsAcceptedAt: sql<Date>`now()` })
    .where('id', '=', userId)
    .where(sql<boolean>`payment_terms_version is distinct from ${version}`)
    .execute();
}

/** Empty when the account does not exist. */
export async function findUsername(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('userAccount').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? '';
}

export type Credentials = { id: number; passwordHash: string | null };

/**
 * Finds an account by phone (E.164), e-mail or name in lower case. Phone and e-mail, which are verified, take precedence over
 * a name, which anybody may choose.
 */
export async function findCredentials(
  db: Db,
  { phone, name }: { phone: string; name: string },
): Promise<Credentials | undefined> {
  return await db
    .selectFrom('userAccount')
    .select(['id', 'passwordHash'])
    .where(sql<boolean>`(phone_number = ${phone} or lower(username) = ${name}
      or (email <> '' and lower(email) = ${name}))`)
    .orderBy(sql`phone_number = ${phone} desc nulls last, lower(email) = ${name} desc, id`)
    .limit(1)
    .executeTakeFirst();
}

export async function findCredentialsById(db: Db, id: number): Promise<Credentials | undefined> {
  return await db.selectFrom('userAccount').select(['id', 'passwordHash']).where('id', '=', id).executeTakeFirst();
}

export async function setPasswordHash(db: Db, id: number, passwordHash: string): Promise<void> {
  await db.updateTable('userAccount').set({ passwordHash, hasOneTimePassword: false }).where('id', '=', id).execute();
  await deletePasswordLinks(db, id);
}

/** False when the current hash is not `former`. */
export async function replacePasswordHash(
  db: Db,
  { userId, former, passwordHash }: { userId: number; former: string | null; passwordHash: string },
): Promise<boolean> {
  const row = await db
    .updateTable('userAccount')
    .set({ passwordHash, hasOneTimePassword: false })
    .where('id', '=', userId)
    .where(sql<boolean>`password_hash is not distinct from ${former}`)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return false;
  await deletePasswordLinks(db, userId);
  return true;
}

/** A link to choose a password ends with every change of the password: its owner has one again, or an intruder is kept out. */
async function deletePasswordLinks(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('invitation').where('userId', '=', userId).execute();
}

/** An intruder may have made links in the account: to other accounts' passwords, to new accounts, to its mappings. */
export async function deleteLinksMadeBy(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('invitation').where('invitedBy', '=', userId).execute();
}

/** An intruder may have added a passkey before the reset, so none logs in alone until it is proven beside the password. */
export async function demandPasswordBesidePasskeys(tx: Db, userId: number): Promise<void> {
  await tx.updateTable('passkey').set({ needsPassword: true }).where('userId', '=', userId).execute();
}

/** The operator has read the password, and maybe others have: the account's first steps say so until it is changed. */
export async function markOneTimePassword(db: Db, userId: number): Promise<void> {
  await db.updateTable('userAccount').set({ hasOneTimePassword: true }).where('id', '=', userId).execute();
}

export async function recordLogin(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ lastLoginAt: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Throws the constraint's error when another account has the address. */
export async function setEmail(db: Db, userId: number, email: string): Promise<void> {
  await db.updateTable('userAccount').set({ email }).where('id', '=', userId).execute();
}

export type NewUser = {
  username: string;
  passwordHash: string | null;
  isStaff?: boolean;
  isSuperuser?: boolean;
  acceptedTermsOfService?: boolean;
  hasOneTimePassword?: boolean;
  invitedBy?: string;
};

export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const { id } = await db
    .insertInto('userAccount')
    .values({ ...user, usernameSkeleton: skeletonOf(user.username) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type RegistrationRow = {
  username: string;
  phoneNumber: string | null;
  invitedBy: string;
  acceptedTermsOfService: boolean;
};

/** Undefined when another account has the name. */
export async function insertUserUnlessTaken(db: Db, user: RegistrationRow): Promise<number | undefined> {
  const phoneBoundAt = user.phoneNumber === null ? null : sql<Date>`now()`;
  const row = await db
    .insertInto('userAccount')
    .values({ ...user, phoneBoundAt, usernameSkeleton: skeletonOf(user.username) })
    .onConflict((conflict) => conflict.expression(sql`lower(username)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Accounts without a skeleton of their name: those that were made before names had one, and those that came second. */
export async function listWithoutSkeleton(tx: Db): Promise<{ id: number; username: string }[]> {
  return await tx
    .selectFrom('userAccount')
    .select(['id', 'username'])
    .where('usernameSkeleton', 'is', null)
    .orderBy('id')
    .execute();
}

/** Does nothing where another account has the skeleton. */
export async function setSkeleton(tx: Db, id: number, skeleton: string): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ usernameSkeleton: skeleton })
    .where('id', '=', id)
    .where(sql<boolean>`not exists (select from user_account other where other.username_skeleton = ${skeleton})`)
    .execute();
}
