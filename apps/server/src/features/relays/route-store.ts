import type { DeviceRoutes } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { listMappingsOfDevices, mappingDomain, type MappingRow } from '../mappings/index.ts';

type RoutedDevice = { id: number; uid: string; publicKey: Buffer; enabled: boolean };

const SNAPSHOT_BATCH = 1_000;

/** What relays must know of these devices; one that is missing in the answer does not exist. */
export async function readRoutes(db: Db, deviceIds: number[]): Promise<DeviceRoutes[]> {
  if (deviceIds.length === 0) return [];
  const devices = await db
    .selectFrom('device')
    .where('id', 'in', deviceIds)
    .select(['id', 'uid', 'publicKey', 'enabled'])
    .execute();
  return await addRoutes(db, devices);
}

/** What relays must know of all devices. */
export async function readAllRoutes(db: Db): Promise<DeviceRoutes[]> {
  const all: DeviceRoutes[] = [];
  for (let lastId = 0; ;) {
    const devices = await db
      .selectFrom('device')
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(SNAPSHOT_BATCH)
      .select(['id', 'uid', 'publicKey', 'enabled'])
      .execute();
    const last = devices.at(-1);
    if (last === undefined) return all;
    all.push(...(await addRoutes(db, devices)));
    lastId = last.id;
  }
}

async function addRoutes(db: Db, devices: RoutedDevice[]): Promise<DeviceRoutes[]> {
  const mappings = await listMappingsOfDevices(
    db,
    devices.map((device) => device.id),
  );
  const byDevice = Map.groupBy(mappings, (mapping) => mapping.deviceId);
  return devices.map((device) => ({
    deviceId: device.id,
    uid: device.uid,
    publicKey: device.publicKey.toString('base64url'),
    enabled: device.enabled,
    routes: (byDevice.get(device.id) ?? []).map(toRoute),
  }));
}

function toRoute(mapping: MappingRow): DeviceRoutes['routes'][number] {
  return {
    mappingId: mapping.id,
    host: mappingDomain(mapping),
    protocol: mapping.kind,
    targetHost: mapping.targetHost,
    targetPort: mapping.targetPort,
    policy: mapping.policy,
    enabled: mapping.enabled,
  };
}
