import type { LiveEvent } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { notify, notifyDeviceChanges, notifyEach } from '../../db/notify.ts';

/** What relays must be sent anew. The version is the transaction's id; without one the device is sent in any case. */
export type DeviceChange = { deviceId: number; version?: string | undefined };

type ChangedDevice = { deviceId: number; userId: number };

/** Ends a transaction that changed what a device is or does: its relays re-read it, its owner's open pages reload. */
export async function announceDeviceChange(tx: Db, { deviceId, userId }: ChangedDevice): Promise<DeviceChange> {
  return { deviceId, version: await notifyDeviceChanges(tx, [deviceId], [{ userId, topic: 'devices' }]) };
}

/** Ends a transaction that changed who may visit a device: its relays re-read it, its owner's open pages reload. */
export async function announceAccessChange(tx: Db, { deviceId, userId }: ChangedDevice): Promise<void> {
  const live = ['devices', 'verifications'].map((topic) => ({ userId, topic }));
  await notifyDeviceChanges(tx, [deviceId], live);
}

/** Ends a transaction that deleted these devices together with their owner. */
export async function announceDeletedDevices(tx: Db, deviceIds: readonly number[]): Promise<void> {
  await notifyDeviceChanges(tx, deviceIds, []);
}

/** Tells the open pages of this user that somebody was let in, or is let in no more. */
export async function announceVerifications(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'verifications' });
}

/** Tells the open pages of a mapping's owner, and of these accounts, that others are its members now. */
export async function announceMembers(tx: Db, ownerId: number, memberUserIds: readonly number[]): Promise<void> {
  // All at once, so that the time an answer takes tells an owner nothing of whether there is such an account.
  await notifyEach(tx, 'live', [
    { userId: ownerId, topic: 'verifications' },
    ...memberUserIds.map((userId) => ({ userId, topic: 'shared_with_me' })),
  ]);
}

/** Ends a transaction after which the open pages of this user list what others share anew. */
export async function announceMemberships(tx: Db, userId: number): Promise<void> {
  await notify(tx, 'live', { userId, topic: 'shared_with_me' });
}

/** Tells every open page, whoever's it is. */
export async function announceToEverybody(tx: Db, topic: LiveEvent['topic']): Promise<void> {
  await notify(tx, 'live', { topic });
}

/** Tells the open pages of these users that something they show of their devices is different now. */
export async function announceDeviceList(tx: Db, userIds: Iterable<number>): Promise<void> {
  const notices = [...new Set(userIds)].map((userId) => ({ userId, topic: 'devices' }));
  await notifyEach(tx, 'live', notices);
}
