import type { DeviceRoutes } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { assertAnswers, countRoutes, readRoutes, type RouteDefaults } from './route-store.ts';

export type ReadDevicesDeps = RouteDefaults & { db: Db; log: Logger };

export type DevicesRead = {
  /** Those that were read, there or not. */
  ids: number[];
  found: Map<number, DeviceRoutes>;
  /** What relays are told of these stays as it is. */
  unreadable: Set<number>;
};

// Of several devices in one message: it has about two megabytes then.
const MOST = { mappings: 2_000, proofs: 10_000 };
// Of one alone: more than it can have, see proofLimits and MAX_TOLD_PROOFS.
const MOST_OF_ONE = { mappings: 2_000, proofs: 40_000 };

/**
 * Reads what relays must know of the first of these devices: as many as fit into one message. A device that cannot be
 * read, or is too much to tell, is logged and keeps nobody else's from being read. Throws where nothing can be read.
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
      if (others.length === 0) deps.log.error({ deviceId }, 'too much of a device to tell its relays');
    } catch (err) {
      // Where the database is away it is no device's fault.
      await assertAnswers(deps.db);
      if (others.length === 0) deps.log.error({ err, deviceId }, 'could not read the routes of a device');
    }
    if (others.length === 0) return { ids: first, found: new Map(), unreadable: new Set(first) };
  }
}

async function fits(db: Db, ids: number[]): Promise<boolean> {
  const most = ids.length > 1 ? MOST : MOST_OF_ONE;
  const { mappings, proofs } = await countRoutes(db, ids, most);
  return mappings <= most.mappings && proofs <= most.proofs;
}
