import type { Db } from '../../db/driver.ts';
import { type DescribedMapping, listDescribedMappings, type ReadUsage } from '../mappings/index.ts';
import { countDevicesOfUser, listDeviceIdsOfUser, listDevicesById, type DeviceRow } from './device-store.ts';

export type DeviceWithMappings = { device: DeviceRow; mappings: DescribedMapping[] };

/** One page of the user's devices: pinned ones first, then by name. */
export async function listDevices(
  db: Db,
  userId: number,
  { readUsage, ...page }: { limit: number; offset: number; readUsage: ReadUsage },
): Promise<{ count: number; devices: DeviceWithMappings[] }> {
  const [count, ids] = await Promise.all([countDevicesOfUser(db, userId), listDeviceIdsOfUser(db, userId, page)]);
  const [rows, mappings] = await Promise.all([listDevicesById(db, ids), mappingsByDevice(db, ids, readUsage)]);
  // A device that was deleted between the two queries is missing.
  const byId = new Map(rows.map((row) => [row.id, row]));
  const devices = ids.flatMap((id) => byId.get(id) ?? []);
  return { count, devices: devices.map((device) => ({ device, mappings: mappings.get(device.id) ?? [] })) };
}

/** Adds the mappings to the devices. The number of queries does not depend on the number of devices. */
export async function withMappings(db: Db, devices: DeviceRow[]): Promise<DeviceWithMappings[]> {
  const mappings = await mappingsByDevice(
    db,
    devices.map(({ id }) => id),
  );
  return devices.map((device) => ({ device, mappings: mappings.get(device.id) ?? [] }));
}

async function mappingsByDevice(
  db: Db,
  deviceIds: number[],
  readUsage?: ReadUsage,
): Promise<Map<number, DescribedMapping[]>> {
  return Map.groupBy(await listDescribedMappings(db, deviceIds, readUsage), ({ row }) => row.deviceId);
}
