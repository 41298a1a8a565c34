import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findCoveringMapping } from '../mappings/index.ts';
import { findDevice, findDeviceByUid, type DeviceRow } from './device-store.ts';
import { readHost } from './describe-domain.ts';

export type DeviceKey = { id: number } | { uid: string } | { domain: string };

/** Returns a device of the user. Throws device.not-found, also for another user's device. */
export async function getOwnDevice(db: Db, userId: number, key: DeviceKey): Promise<DeviceRow> {
  const device = await findByKey(db, key);
  if (device?.userId !== userId) throw new AppError('device.not-found');
  return device;
}

async function findByKey(db: Db, key: DeviceKey): Promise<DeviceRow | undefined> {
  if ('id' in key) return await findDevice(db, key.id);
  if ('uid' in key) return await findDeviceByUid(db, key.uid);
  const mapped = await findCoveringMapping(db, readHost(key.domain));
  return mapped && (await findDevice(db, mapped.deviceId));
}
