import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mount } from '../../http/mount.ts';
import { type DeviceRow, findDevice, listDevicesOfUser } from '../devices/index.ts';
import { assertCanUpgrade, isOutdated, type UpgradeDeps, upgradeDevice } from './upgrade-device.ts';
import { UpgradeQueue } from './upgrade-queue.ts';

const MAX_DEVICES = 1000;
/** A download over a slow line goes on after the answer. */
const ANSWER_WITHIN_MS = 8_500;

export type AgentUpgradeDeps = UpgradeDeps & { log: Logger; answerWithinMs?: number };

/** Upgrades of agents from the console, by the owner of the devices. */
export function registerAgentUpgradeRoutes(app: FastifyInstance, deps: AgentUpgradeDeps): void {
  const { db, answerWithinMs = ANSWER_WITHIN_MS } = deps;
  const queue = new UpgradeQueue(deps.log);
  const upgrade = (actor: { userId: number; ip: string }, device: DeviceRow) =>
    queue.run({ userId: actor.userId, deviceId: device.id }, async () => await upgradeDevice(deps, actor, device));

  mount(app, 'POST /api/user/routers/{id}/upgrade/', { login: 'required' }, async ({ params, session, req }) => {
    const device = await findDevice(db, params.id);
    if (device?.userId !== session.userId) throw new AppError('device.not-found');
    assertCanUpgrade(deps, device);
    await Promise.race([upgrade({ userId: session.userId, ip: req.ip }, device), elapsed(answerWithinMs)]);
    return { version: deps.version };
  });
  mount(app, 'POST /api/user/routers/upgrade/', { login: 'required' }, async ({ body, session, req }) => {
    const devices = await listDevicesOfUser(db, session.userId, { limit: MAX_DEVICES, offset: 0 });
    const outdated = devices.filter((device) => isOutdated(deps, device));
    const part = partOf(devices, body.percent);
    const wanted = outdated.filter(({ id, relayIds }) => relayIds.length > 0 && part.has(id));
    let failed = 0;
    const upgrades = wanted.map(async (device) => {
      await upgrade({ userId: session.userId, ip: req.ip }, device).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        failed++;
      });
    });
    await Promise.race([Promise.all(upgrades), elapsed(answerWithinMs)]);
    return { started: wanted.length - failed, failed, left: outdated.length - wanted.length };
  });
}

async function elapsed(ms: number): Promise<void> {
  await delay(ms, undefined, { ref: false });
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
