import { sql } from 'kysely';
import { notifyDeviceChanges } from '../../db/notify.ts';
import type { Db } from '../../db/driver.ts';
import { createAccountToken } from '../../features/users/index.ts';
import { insertDevice, insertMapping } from '../device-fixtures.ts';

/** Higher than the number of any announcement of a test. */
const READ_ALL = 1000;

/** Creates an account with the password of `admin` and an account token. It has read all announcements. */
export async function createPerson(
  db: Db,
  { sealingKey, account, email = '' }: { sealingKey: Buffer; account: string; email?: string },
): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { passwordHash } = await tx
      .selectFrom('userAccount')
      .where('username', '=', 'admin')
      .select('passwordHash')
      .executeTakeFirstOrThrow();
    if (passwordHash === null) throw new Error('admin has no password');
    const { id } = await tx
      .insertInto('userAccount')
      .values({ username: account, passwordHash, email })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ignoreAnnouncements(tx, account);
    await createAccountToken(tx, sealingKey, id);
    return id;
  });
}

/** Creates an offline device of this account with a mapping for its owner, and notifies the relays. */
export async function createHome(
  db: Db,
  { userId, prefix }: { userId: number; prefix: string },
): Promise<{ deviceId: number; uid: string; mappingId: number }> {
  return await db.transaction().execute(async (tx) => {
    const { id: serverId } = await tx.selectFrom('server').select('id').orderBy('id').executeTakeFirstOrThrow();
    const deviceId = await insertDevice(tx, { userId, serverId, name: '邻居的设备' });
    const mappingId = await insertMapping(tx, { deviceId, serverId, prefix, targetHost: '127.0.0.1', targetPort: 9 });
    await notifyDeviceChanges(tx, [deviceId], []);
    const { uid } = await tx.selectFrom('device').where('id', '=', deviceId).select('uid').executeTakeFirstOrThrow();
    return { deviceId, uid, mappingId };
  });
}

/** Creates accounts `<prefix>0`, `<prefix>1`, … with the password of `admin`. */
export async function createManyPeople(db: Db, { prefix, count }: { prefix: string; count: number }): Promise<void> {
  const { passwordHash } = await db
    .selectFrom('userAccount')
    .where('username', '=', 'admin')
    .select('passwordHash')
    .executeTakeFirstOrThrow();
  const values = Array.from({ length: count }, (_, n) => ({ username: `${prefix}${n}`, passwordHash }));
  await db.insertInto('userAccount').values(values).execute();
}

/** Sets the account's phone number (E.164) without a code. */
export async function givePhoneNumber(db: Db, account: string, phoneNumber: string): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ phoneNumber, phoneBoundAt: sql<Date>`now()` })
    .where('username', '=', account)
    .execute();
}

/** Marks all announcements as read for the account, also later ones. */
export async function ignoreAnnouncements(db: Db, account: string): Promise<void> {
  const read = { readedAnnouncementId: READ_ALL };
  await db.updateTable('userAccount').set(read).where('username', '=', account).execute();
}

/** Marks the announcements published so far as read for the account. */
export async function readAllAnnouncements(db: Db, account: string): Promise<void> {
  const newest = sql<number>`(select coalesce(max(number), 0) from announcement)`;
  await db.updateTable('userAccount').set({ readedAnnouncementId: newest }).where('username', '=', account).execute();
}

/** Who invited the account with this number. No API call returns it. */
export async function findInviter(db: Db, phoneNumber: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .where('phoneNumber', '=', phoneNumber)
    .select('invitedBy')
    .executeTakeFirst();
  return row?.invitedBy;
}

/** Whether any account has rotated its token. */
export async function hasRotatedTokens(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('accountToken')
    .where('retiredAt', 'is not', null)
    .select('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** The names of all management users. */
export async function listPrivileged(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('userAccount')
    .where((eb) => eb.or([eb('isStaff', '=', true), eb('isSuperuser', '=', true), eb('isPromoter', '=', true)]))
    .select('username')
    .execute();
  return rows.map(({ username }) => username);
}

const tablesWithId = [
  'verification',
  'shareLink',
  'mappingMember',
  'passkey',
  'session',
  'apiToken',
  'enrolmentKey',
  'trustedBrowser',
  'alertChannel',
  'cloudApp',
  'cloudAppMember',
  'appSession',
  'cloudAppWake',
] as const;

/** Whether the row with this id exists. */
export async function rowExists(db: Db, table: (typeof tablesWithId)[number], id: number): Promise<boolean> {
  return (await db.selectFrom(table).where('id', '=', id).select('id').executeTakeFirst()) !== undefined;
}

/** Inserts a reward of 7 days for the account with this name, which it can claim. It takes a day until a call makes one. */
export async function giveInvitationReward(db: Db, account: string): Promise<void> {
  const { id: userId } = await db
    .selectFrom('userAccount')
    .where('username', '=', account)
    .select('id')
    .executeTakeFirstOrThrow();
  const reward = { userId, inviteeName: '小***王', event: 'joined', days: 7, worthFen: 49 } as const;
  await db
    .insertInto('invitationReward')
    .values({ ...reward, status: 'claimable', claimableAt: new Date() })
    .execute();
}
