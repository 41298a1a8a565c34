import type { Db } from '../../../db/driver.ts';

/** Whether a device runs a stock frpc in place of our agent. */
export async function isFrpcDevice(db: Db, deviceId: number): Promise<boolean> {
  const device = db.selectFrom('device').where('id', '=', deviceId).where('frpcTokenSealed', 'is not', null);
  return (await device.select('id').executeTakeFirst()) !== undefined;
}

/** The owner and region of a device whose own frpc.toml manages its mappings. */
export async function findFrpcTomlDevice(
  db: Db,
  deviceId: number,
): Promise<{ userId: number; suffix: string } | undefined> {
  return await db
    .selectFrom('device')
    .innerJoin('server', 'server.id', 'device.serverId')
    .where('device.id', '=', deviceId)
    .where('device.frpcLogin', 'is not', null)
    .select(['device.userId', 'server.suffix'])
    .executeTakeFirst();
}
