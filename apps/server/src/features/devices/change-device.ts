import { AppError, type DevicePatch } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import { announceDeviceChange } from '../live/index.ts';
import { bindPlan, unbindPlan } from '../plans/index.ts';
import { haveOpenMapping, isDeletedDevice } from '../mappings/index.ts';
import { isSuspendedDevice, lockDeviceSettings, updateDevice, type DeviceRow } from './device-store.ts';
import { getOwnDevice } from './find-own-device.ts';
import { readAllowList } from './read-allow-list.ts';

/**
 * Changes the given fields of the user's device. More allowed addresses, and switching on a device whose mappings others may
 * visit, need a confirmation. Throws session.confirm-required, device.not-found, device.deleted, device.suspended, and what readAllowList, bindPlan and
 * unbindPlan throw.
 */
export async function changeDevice(db: Db, device: Caller & { id: number }, patch: DevicePatch): Promise<DeviceRow> {
  const { name, group: groupName, pinned, enabled, alerts_enabled: alertsEnabled, allow_list: allowList } = patch;
  const { plan_ids_to_add: added = [], plan_ids_to_remove: removed = [] } = patch;
  const changes = {
    ...(name !== undefined && { name }),
    ...(groupName !== undefined && { groupName }),
    ...(pinned !== undefined && { pinned }),
    ...(enabled !== undefined && { enabled }),
    ...(alertsEnabled !== undefined && { alertsEnabled }),
    ...(allowList !== undefined && { allowList: readAllowList(allowList) }),
  };
  const hasChanges = Object.keys(changes).length > 0;
  const movesPlans = added.length + removed.length > 0;
  if (!hasChanges && !movesPlans) return await getOwnDevice(db, device.userId, device);
  return await db.transaction().execute(async (tx) => {
    if (movesPlans) await lockUserForNoKeyUpdate(tx, device.userId);
    if (enabled === true && (await isSuspendedDevice(tx, device))) throw new AppError('device.suspended');
    if (!device.isConfirmed && (await isWider(tx, device, changes))) assertConfirmed(device);
    if (hasChanges && !(await updateDevice(tx, device, changes)))
      throw new AppError((await isDeletedDevice(tx, device)) ? 'device.deleted' : 'device.not-found');
    const own = { userId: device.userId, deviceId: device.id };
    for (const planId of removed) await unbindPlan(tx, { ...own, planId });
    for (const planId of added) await bindPlan(tx, { ...own, planId });
    await announceDeviceChange(tx, { deviceId: device.id, userId: device.userId });
    return await getOwnDevice(tx, device.userId, device);
  });
}

async function isWider(
  tx: Db,
  device: { id: number; userId: number },
  { enabled, allowList = [] }: { enabled?: boolean; allowList?: string[] },
): Promise<boolean> {
  const before = await lockDeviceSettings(tx, device);
  if (before === undefined) return false; // refused as unknown
  if (allowList.some((range) => !before.allowList.includes(range))) return true;
  return enabled === true && !before.enabled && (await haveOpenMapping(tx, [device.id]));
}
