import { createHash } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { type DeviceRow, findDevice, listDevicesOfUser } from '../devices/index.ts';
import { isOutdated, type UpgradeDeps, upgradeDevice } from './upgrade-device.ts';

/** Each device downloads the agent from this server. */
const AT_ONCE = 8;
const MAX_DEVICES = 1000;

/** Upgrades of agents from the console, by the owner of the devices. */
export function registerAgentUpgradeRoutes(app: FastifyInstance, deps: UpgradeDeps): void {
  const { db } = deps;
  mount(app, 'POST /api/user/routers/{id}/upgrade/', { login: 'required' }, async ({ params, session, req }) => {
    const device = await findDevice(db, params.id);
    if (device?.userId !== session.userId) throw new AppError('device.not-found');
    await upgradeDevice(deps, { userId: session.userId, ip: req.ip }, device);
    return { version: deps.version };
  });
  mount(app, 'POST /api/user/routers/upgrade/', { login: 'required' }, async ({ body, session, req }) => {
    const devices = await listDevicesOfUser(db, session.userId, { limit: MAX_DEVICES, offset: 0 });
    const outdated = devices.filter((device) => isOutdated(deps, device));
    const part = partOf(devices, body.percent);
    const wanted = outdated.filter(({ id, relayIds }) => relayIds.length > 0 && part.has(id));
    let started = 0;
    const waiting = [...wanted];
    const work = async (): Promise<void> => {
      for (let device = waiting.shift(); device !== undefined; device = waiting.shift()) {
        try {
          await upgradeDevice(deps, { userId: session.userId, ip: req.ip }, device);
          started++;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { started, failed: wanted.length - started, left: outdated.length - wanted.length };
  });
}

/**
 * The ids of so many percent of the devices with an agent, at least one. Always the same ones, as those that are upgraded
 * already count as well: 10 percent are among the 50 percent of the next call.
 */
function partOf(devices: readonly DeviceRow[], percent: number): ReadonlySet<number> {
  const places = devices
    .filter(({ agentVersion, runsFrpc }) => agentVersion !== null && !runsFrpc)
    .map(({ id, uid }) => ({ id, place: createHash('sha256').update(uid).digest('hex') }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  return new Set(places.slice(0, Math.ceil((places.length * percent) / 100)).map(({ id }) => id));
}
