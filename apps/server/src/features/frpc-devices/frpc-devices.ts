import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import type { Session } from '../../http/session.ts';
import { addNamedDevice } from '../devices/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { assertNotEnded } from '../sessions/index.ts';
import { countWaitingFrpcDevices, findOwnFrpcDevice, findServerId, updateFrpcToken } from './frpc-device-store.ts';
import { createFrpcToken, readFrpcToken } from './frpc-token.ts';

export type FrpcDevicesDeps = { db: Db; sealingKey: Buffer; baseDomain: string };
export type FrpcIdentity = { id: number; uid: string; token: string };

/** A device is there before its frpc connects for the first time, so abandoned ones must not add up. */
const MAX_WAITING = 20;

/** Adds a device that runs a stock frpc. Throws device.too-many-waiting, session.required. */
export async function createFrpcDevice(
  { db, sealingKey, baseDomain }: FrpcDevicesDeps,
  session: Session,
  name: string,
): Promise<FrpcIdentity> {
  const { userId } = session;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    await assertNotEnded(tx, session);
    if ((await countWaitingFrpcDevices(tx, userId)) >= MAX_WAITING) throw new AppError('device.too-many-waiting');
    const serverId = must(await findServerId(tx, baseDomain), `the server of ${baseDomain}`);
    let token = '';
    const device = await addNamedDevice(tx, { userId, serverId, name }, (uid) => {
      const created = createFrpcToken(sealingKey, uid);
      ({ token } = created);
      return { frpcTokenSealed: created.sealed };
    });
    await announceDeviceChange(tx, { deviceId: device.id, userId });
    return { ...device, token };
  });
}

/** Throws device.not-found, device.not-frpc. */
export async function readFrpcIdentity(
  { db, sealingKey }: FrpcDevicesDeps,
  owned: { id: number; userId: number },
): Promise<FrpcIdentity> {
  const device = await findOwnFrpcDevice(db, owned);
  if (!device) throw new AppError('device.not-found');
  const { id, uid, frpcTokenSealed: sealed } = device;
  if (sealed === null) throw new AppError('device.not-frpc');
  return { id, uid, token: readFrpcToken(sealingKey, { uid, sealed }) };
}

/** Gives the device another secret; its frpc is cut off. Throws device.not-found, device.not-frpc. */
export async function rotateFrpcToken(
  { db, sealingKey }: FrpcDevicesDeps,
  owned: { id: number; userId: number },
): Promise<FrpcIdentity> {
  return await db.transaction().execute(async (tx) => {
    const device = await findOwnFrpcDevice(tx, owned);
    if (!device) throw new AppError('device.not-found');
    const { token, sealed } = createFrpcToken(sealingKey, device.uid);
    if (!(await updateFrpcToken(tx, { ...owned, frpcTokenSealed: sealed }))) throw new AppError('device.not-frpc');
    await announceDeviceChange(tx, { deviceId: owned.id, userId: owned.userId });
    return { id: device.id, uid: device.uid, token };
  });
}
