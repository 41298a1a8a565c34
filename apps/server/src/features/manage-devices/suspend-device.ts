import { must } from '@tongtu/base';
import { AppError, mayManage } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { flagsOf } from '../../http/session.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { findManagedUser } from '../manage-users/index.ts';
import { findManagedDevice, lockDevice, type ManagedDeviceRow, setSuspended } from './managed-device-store.ts';

/**
 * Suspends a device, or lets it work again. Relays cut a suspended one at once and refuse its agent. Throws
 * device.not-found, user.superuser, or session.forbidden for staff who have just lost the right.
 */
export async function suspendDevice(
  db: Db,
  actor: { userId: number; ip: string },
  { deviceId, isSuspended }: { deviceId: number; isSuspended: boolean },
): Promise<ManagedDeviceRow> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockDevice(tx, deviceId);
    if (before === undefined) throw new AppError('device.not-found');
    const staff = await findManagedUser(tx, actor.userId);
    if (staff === undefined || staff.disabledAt !== null) throw new AppError('session.forbidden');
    if (!mayManage(flagsOf(staff), flagsOf(before))) throw new AppError('user.superuser');
    await setSuspended(tx, deviceId, isSuspended);
    const after = must(await findManagedDevice(tx, deviceId), 'the locked device');
    await recordAuditEntry(tx, actor, {
      action: isSuspended ? 'device.suspended' : 'device.resumed',
      object: { type: 'device', id: deviceId, name: after.name },
      before: { suspendedAt: before.suspendedAt },
      after: { suspendedAt: after.suspendedAt },
    });
    await announceDeviceChange(tx, { deviceId, userId: before.userId });
    return after;
  });
}
