import { AppError, type DevicePatch } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceDeviceChange } from '../live/index.ts';
import { bindPlan, unbindPlan } from '../plans/index.ts';
import { isDeletedDevice } from '../mappings/index.ts';
import { isSuspendedDevice, updateDevice, type DeviceRow } from './device-store.ts';
import { getOwnDevice } from './find-own-device.ts';
import { readAllowList } from './read-allow-list.ts';

/**
 * Changes the given fields of the user's device. Throws device.not-found, device.deleted, device.suspended, and what readAllowList, bindPlan and
 * unbindPlan throw.
 */
export async function changeDevice(
  db: Db,
  device: { id: number; userId: number },
  patch: DevicePatch,
): Promise<DeviceRow> {
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
    if (hasChanges && !(await updateDevice(tx, device, changes)))
      throw new AppError((await isDeletedDevice(tx, device)) ? 'device.deleted' : 'device.not-found');
    const own = { userId: device.userId, deviceId: device.id };
    for (const planId of removed) await unbindPlan(tx, { ...own, planId });
    for (const planId of added) await bindPlan(tx, { ...own, planId });
    await announceDeviceChange(tx, { deviceId: device.id, userId: device.userId });
    return await getOwnDevice(tx, device.userId, device);
  });
}
