import { must } from '@tongtu/base';
import { AppError, MAX_ALLOW_LIST_ENTRIES, MAX_CLOUD_APPS_PER_DEVICE, MAX_MAPPINGS_PER_DEVICE } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { deleteOwnDevice, type DeviceRow, findDevice } from '../devices/index.ts';
import { announceAccessChange, announceCloudApps, announceDeviceChange, type DeviceChange } from '../live/index.ts';
import { movePlan } from '../plans/index.ts';
import { moveUsage } from '../usage/index.ts';
import * as store from './adoption-store.ts';
import { isOnline } from './describe-adoption.ts';

type Adoption = { lostId: number; successorId: number; userId: number };

/**
 * Moves everything from a lost device to another one of the same owner, and deletes the lost one; its key is worth nothing
 * from then on. Throws device.not-found, adoption.not-lost, adoption.other-region, adoption.managed-by-frpc,
 * adoption.no-udp, device.suspended, mapping.limit-reached, cloud-app.limit-reached.
 */
export async function adoptDevice(db: Db, adoption: Adoption): Promise<DeviceChange> {
  const { lostId, successorId, userId } = adoption;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    const locked = await store.lockOwnDevicesForUpdate(tx, userId, [lostId, successorId]);
    if (!locked.includes(lostId) || !locked.includes(successorId)) throw new AppError('device.not-found');
    await assertMayMove(tx, adoption);
    const memberIds = await store.listAppMembersOfDevice(tx, lostId);
    await store.moveMappings(tx, adoption);
    await store.moveRecords(tx, adoption);
    await moveUsage(tx, adoption);
    await store.moveSettings(tx, adoption, MAX_ALLOW_LIST_ENTRIES);
    await movePlan(tx, { userId, fromDeviceId: lostId, toDeviceId: successorId });
    await deleteOwnDevice(tx, { id: lostId, userId });
    await announceCloudApps(tx, [userId, ...memberIds]);
    const change = await announceDeviceChange(tx, { deviceId: successorId, userId });
    await announceAccessChange(tx, { deviceId: lostId, userId });
    return change;
  });
}

/** Both devices are locked, so a relay that reports the lost one connected comes before, and is seen, or after. */
async function assertMayMove(tx: Db, { lostId, successorId }: Adoption): Promise<void> {
  const lost = must(await findDevice(tx, lostId), 'the locked device');
  const successor = must(await findDevice(tx, successorId), 'the locked device');
  if (lostId === successorId || isOnline(lost)) throw new AppError('adoption.not-lost');
  if (isSuspended(lost, successor)) throw new AppError('device.suspended');
  if (lost.isManagedByFrpc || successor.isManagedByFrpc) throw new AppError('adoption.managed-by-frpc');
  if (successor.runsFrpc && (await store.hasUdpMappings(tx, lostId))) throw new AppError('adoption.no-udp');
  if (lost.serverId !== successor.serverId) throw new AppError('adoption.other-region');
  const [moved, present] = [await store.countWhatMoves(tx, lostId), await store.countWhatMoves(tx, successorId)];
  if (moved.mappings + present.mappings > MAX_MAPPINGS_PER_DEVICE) throw new AppError('mapping.limit-reached');
  if (moved.cloudApps + present.cloudApps > MAX_CLOUD_APPS_PER_DEVICE) throw new AppError('cloud-app.limit-reached');
}

function isSuspended(...devices: DeviceRow[]): boolean {
  return devices.some((device) => device.isSuspended);
}
