import type { LiveEvent } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { notify, notifyDeviceChanges, notifyEach } from '../../db/notify.ts';

/** A change of a device that relays must be sent. The version is the transaction's id. Without one it is always sent. */
export type DeviceChange = { deviceId: number; version?: string | undefined };

type ChangedDevice = { deviceId: number; userId: number };

/** Ends a transaction that changed a device: relays get its routes, and the owner's consoles reload devices. */
export async function announceDeviceChange(tx: Db, { deviceId, userId }: ChangedDevice): Promise<DeviceChange> {
  return { deviceId, version: await notifyDeviceChanges(tx, [deviceId], [{ userId, topic: 'devices' }]) };
}

/** Ends a transaction that changed several devices of one user. */
export async function announceDeviceChanges(
  tx: Db,
  { deviceIds, userId }: { deviceIds: readonly number[]; userId: number },
): Promise<void> {
  await notifyDeviceChanges(tx, deviceIds, [{ userId, topic: 'devices' }]);
}

/** Ends a transaction that changed the access to a device: relays get its routes, and the owner's consoles reload. */
export async function announceAccessChange(tx: Db, { deviceId, userId }: ChangedDevice): Promise<void> {
  const live = ['devices', 'verifications'].map((topic) => ({ userId, topic }));
  await notifyDeviceChanges(tx, [deviceId], live);
}

/** Ends a transaction that changed a cloud app: relays get its target, and the consoles of those who may open it reload. */
export async function announceCloudAppChange(
  tx: Db,
  { deviceId, userIds }: { deviceId: number; userIds: readonly number[] },
): Promise<DeviceChange> {
  const live = userIds.map((userId) => ({ userId, topic: 'cloud_apps' }));
  return { deviceId, version: await notifyDeviceChanges(tx, [deviceId], live) };
}

/** Ends a transaction after which these users' consoles list cloud apps anew. */
export async function announceCloudApps(tx: Db, userIds: readonly number[]): Promise<void> {
  await notifyEach(
    tx,
    'live',
    userIds.map((userId) => ({ userId, topic: 'cloud_apps' })),
  );
}

/** Notifies these users' consoles that sessions of cloud apps began or ended. */
export async function announceAppSessions(tx: Db, userIds: Iterable<number>): Promise<void> {
  const notifications = [...new Set(userIds)].map((userId) => ({ userId, topic: 'cloud_app_sessions' }));
  await notifyEach(tx, 'live', notifications);
}

/** Ends a transaction that deleted these devices and their owner. */
export async function announceDeletedDevices(tx: Db, deviceIds: readonly number[]): Promise<void> {
  await notifyDeviceChanges(tx, deviceIds, []);
}

/** Notifies this user's consoles that verifications changed. */
export async function announceVerifications(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'verifications' });
}

/** Notifies the consoles of a mapping's owner, and of these accounts, that its members changed. */
export async function announceMembers(tx: Db, ownerId: number, memberUserIds: readonly number[]): Promise<void> {
  // One statement, so that the response time does not reveal whether a contact has an account.
  await notifyEach(tx, 'live', [
    { userId: ownerId, topic: 'verifications' },
    ...memberUserIds.map((userId) => ({ userId, topic: 'shared_with_me' })),
  ]);
}

/** Ends a transaction after which the open pages of this user list what others share anew. */
export async function announceMemberships(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'shared_with_me' });
}

/** Notifies the consoles of this user that something of the account has changed. */
export async function announceProfile(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'profile' });
}

/** Notifies the consoles of all users. */
export async function announceToEverybody(tx: Db, topic: LiveEvent['topic']): Promise<void> {
  await notify(tx, 'live', { topic });
}

/** Notifies these users' consoles that their devices changed. */
export async function announceDeviceList(tx: Db, userIds: Iterable<number>): Promise<void> {
  const notifications = [...new Set(userIds)].map((userId) => ({ userId, topic: 'devices' }));
  await notifyEach(tx, 'live', notifications);
}

/** Ends a transaction after which this user's consoles list orders and plans anew. */
export async function announceOrders(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'orders' });
}

/**
 * Ends a transaction that changed a plan: relays get the routes of its device, and the owner's consoles list orders, plans and
 * devices anew. `is_payed` of the profile may have changed, too.
 */
export async function announcePlanChange(
  tx: Db,
  { userId, deviceIds }: { userId: number; deviceIds: readonly number[] },
): Promise<void> {
  const topics = ['profile', 'orders', ...(deviceIds.length === 0 ? [] : ['devices'])];
  await notifyDeviceChanges(
    tx,
    deviceIds,
    topics.map((topic) => ({ userId, topic })),
  );
}
