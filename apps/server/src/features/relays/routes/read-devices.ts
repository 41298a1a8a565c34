import type { DeviceRoutes } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { assertDatabaseAnswers, countRoutes, readRoutes, type RouteDefaults } from './route-store.ts';

export type ReadDevicesDeps = RouteDefaults & { db: Db; log: Logger };

export type DevicesRead = {
  /** Devices that were looked up, whether they exist or not. */
  ids: number[];
  found: Map<number, DeviceRoutes>;
  /** Devices that could not be read. Relays keep them as they were. */
  unreadable: Set<number>;
};

// Limit for one message with several devices: about two megabytes.
const MESSAGE_LIMITS = { targets: 2_000, proofs: 10_000 };
// Limit for one device: more than it can have, see proofLimits and MAX_PUBLISHED_PROOFS.
const DEVICE_LIMITS = { targets: 2_000, proofs: 40_000 };

/**
 * Reads the routes of the first of these devices, as many as fit into one message. A device that cannot be read, or is too
 * large for a message, is logged and skipped. Throws if the database is unavailable.
 */
export async function readDevices(deps: ReadDevicesDeps, ids: number[]): Promise<DevicesRead> {
  for (let first = ids; ; first = first.slice(0, Math.ceil(first.length / 2))) {
    const [deviceId, ...others] = first;
    if (deviceId === undefined) return { ids: [], found: new Map(), unreadable: new Set() };
    try {
      if (await fits(deps.db, first)) {
        const devices = await readRoutes(deps.db, first, deps);
        return {
          ids: first,
          found: new Map(devices.map((device) => [device.deviceId, device])),
          unreadable: new Set(),
        };
      }
      if (others.length === 0) deps.log.error({ deviceId }, 'the routes of a device are too large to send to relays');
    } catch (err) {
      // Throws if the database is unavailable, which is not the device's fault.
      await assertDatabaseAnswers(deps.db);
      if (others.length === 0) deps.log.error({ err, deviceId }, 'could not read the routes of a device');
    }
    if (others.length === 0) return { ids: first, found: new Map(), unreadable: new Set(first) };
  }
}

async function fits(db: Db, ids: number[]): Promise<boolean> {
  const limits = ids.length > 1 ? MESSAGE_LIMITS : DEVICE_LIMITS;
  const { targets, proofs } = await countRoutes(db, ids, limits);
  return targets <= limits.targets && proofs <= limits.proofs;
}
