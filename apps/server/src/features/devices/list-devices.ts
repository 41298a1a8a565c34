import type { Db } from '../../db/driver.ts';
import { listMappingsOfDevices, describeMappings, type DescribedMapping } from '../mappings/index.ts';
import { countDevicesOfUser, listDevicesOfUser, type DeviceRow } from './device-store.ts';

export type DeviceWithMappings = { device: DeviceRow; mappings: DescribedMapping[] };

/** One page of the user's devices: pinned ones first, then by name. */
export async function listDevices(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<{ count: number; devices: DeviceWithMappings[] }> {
  const [count, rows] = await Promise.all([countDevicesOfUser(db, userId), listDevicesOfUser(db, userId, page)]);
  return { count, devices: await withMappings(db, rows) };
}

/** Adds the mappings to the devices. The number of queries does not depend on the number of devices. */
export async function withMappings(db: Db, devices: DeviceRow[]): Promise<DeviceWithMappings[]> {
  const mappings = await listMappingsOfDevices(
    db,
    devices.map((device) => device.id),
  );
  const byDevice = Map.groupBy(await describeMappings(db, mappings), ({ row }) => row.deviceId);
  return devices.map((device) => ({ device, mappings: byDevice.get(device.id) ?? [] }));
}
