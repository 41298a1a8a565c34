import type { Db } from '../../db/driver.ts';
import { forgetLogins } from './frpc-login-store.ts';

export type FrpcDeviceRow = { id: number; uid: string; frpcTokenSealed: Buffer | null };

/** Undefined when the user has no such device. */
export async function findOwnFrpcDevice(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<FrpcDeviceRow | undefined> {
  return await db
    .selectFrom('device')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .select(['id', 'uid', 'frpcTokenSealed'])
    .executeTakeFirst();
}

/** How many of the user's frpc devices have never been online. Call it with the account locked. */
export async function countWaitingFrpcDevices(tx: Db, userId: number): Promise<number> {
  const row = await tx
    .selectFrom('device')
    .leftJoin('devicePresence', 'devicePresence.deviceId', 'device.id')
    .where('device.userId', '=', userId)
    .where('device.frpcTokenSealed', 'is not', null)
    .where('devicePresence.deviceId', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** False when the user has no such frpc device. */
export async function updateFrpcToken(
  tx: Db,
  device: { id: number; userId: number; frpcTokenSealed: Buffer },
): Promise<boolean> {
  const row = await tx
    .updateTable('device')
    .set({ frpcTokenSealed: device.frpcTokenSealed })
    .where('id', '=', device.id)
    .where('userId', '=', device.userId)
    .where('frpcTokenSealed', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return false;
  await forgetLogins(tx, device.id);
  return true;
}

/** The server (region) whose suffix this is. */
export async function findServerId(db: Db, suffix: string): Promise<number | undefined> {
  const row = await db.selectFrom('server').where('suffix', '=', suffix).select('id').executeTakeFirst();
  return row?.id;
}
