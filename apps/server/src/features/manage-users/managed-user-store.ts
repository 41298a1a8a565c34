import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type ManagedUserRow = FlaggedAccount & {
  id: number;
  username: string;
  email: string;
  phoneNumber: string | null;
  hasWechat: boolean;
  hasPassword: boolean;
  secondFactor: boolean;
  deviceCount: number;
  mappingCount: number;
  createdAt: Date;
  lastSeenAt: Date | null;
  disabledAt: Date | null;
  deletionAt: Date | null;
};

export async function listManagedUsers(
  db: Db,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ManagedUserRow[]> {
  return await selectManaged(db)
    .where(matching(search))
    .orderBy('userAccount.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countManagedUsers(db: Db, search: string): Promise<number> {
  const { count } = await db
    .selectFrom('userAccount')
    .where(matching(search))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function findManagedUser(db: Db, userId: number): Promise<ManagedUserRow | undefined> {
  return await selectManaged(db).where('userAccount.id', '=', userId).executeTakeFirst();
}

function selectManaged(db: Db) {
  return db
    .selectFrom('userAccount')
    .select(['id', 'username', 'email', 'phoneNumber', 'isStaff', 'isPromoter', 'isSuperuser'])
    .select(['createdAt', 'disabledAt', 'deletionAt'])
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .select(sql<boolean>`exists (select from wechat_account where user_id = user_account.id)`.as('hasWechat'))
    .select(
      sql<boolean>`(exists (select from totp where user_id = user_account.id and confirmed_at is not null)
        or exists (select from passkey where user_id = user_account.id))`.as('secondFactor'),
    )
    .select(sql<number>`(select count(*) from device where user_id = user_account.id)`.as('deviceCount'))
    .select(
      sql<number>`(select count(*) from mapping join device on device.id = device_id
        where device.user_id = user_account.id)`.as('mappingCount'),
    )
    .select(
      sql<Date | null>`greatest(last_login_at, (
        select max(last_seen_at) from session where user_id = user_account.id))`.as('lastSeenAt'),
    );
}

function matching(search: string) {
  const pattern = patternContaining(search);
  return sql<boolean>`(username ilike ${pattern} or email ilike ${pattern} or phone_number like ${pattern})`;
}

export async function setDisabled(tx: Db, userId: number, isDisabled: boolean): Promise<void> {
  const disabledAt = isDisabled ? sql<Date>`coalesce(disabled_at, now())` : null;
  await tx.updateTable('userAccount').set({ disabledAt }).where('id', '=', userId).execute();
}

export async function listDeviceIds(tx: Db, userId: number): Promise<number[]> {
  const rows = await tx.selectFrom('device').where('userId', '=', userId).select('id').execute();
  return rows.map(({ id }) => id);
}
