import { AppError, type HostState } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import type { Session } from '../../../http/session.ts';
import { assertMayUseApp } from '../../plans/index.ts';
import { type CloudAppRow, findCloudApp } from '../cloud-app-store.ts';
import { assertMayOpen } from '../sessions/assert-may-open.ts';
import { assertSent, deviceProblem, type DeviceLink, wakeByDevice } from './wake-by-device.ts';
import { findRecentWake, findRelaysOfDevice, insertWake, listWakes, type WakeRow } from './wake-store.ts';

export type WakeDeps = { db: Db; devices: DeviceLink };
export type WakeCaller = { session: Session; hasFactor: boolean; ip: string };

/**
 * Has the device wake the app's host, and records it, also when it fails. Throws cloud-app.not-found, cloud-app.mac-missing,
 * cloud-app.device-offline, cloud-app.agent-outdated, cloud-app.wake-failed, server.unavailable, and what assertMayOpen
 * and assertMayUseApp throw.
 */
export async function wakeApp({ db, devices }: WakeDeps, caller: WakeCaller, appId: number): Promise<WakeRow> {
  const { session, hasFactor, ip } = caller;
  const { userId } = session;
  const app = await getApp(db, appId, userId);
  assertMayOpen(app, session, { hasFactor });
  await assertMayUseApp(db, app.deviceId, app.kind);
  const { mac } = app.options;
  if (mac === '') throw new AppError('cloud-app.mac-missing');
  const { deviceId } = app;
  const relayIds = await findRelaysOfDevice(db, deviceId);
  if (relayIds.length > 0 && !devices.isConnectedTo(relayIds)) throw new AppError('server.unavailable');
  const result = await wakeByDevice(devices, { relayIds, deviceId, mac });
  const wake = await insertWake(db, { appId, userId, ip, result });
  assertSent(result);
  return wake;
}

/**
 * Has the device try to connect to the app's target. A refusal is an answer, too. Throws cloud-app.not-found,
 * cloud-app.disabled, cloud-app.device-offline, cloud-app.agent-outdated, cloud-app.state-unknown, server.unavailable.
 */
export async function readHostState({ db, devices }: WakeDeps, appId: number, userId: number): Promise<HostState> {
  const app = await getApp(db, appId, userId);
  if (!app.enabled || !app.isDeviceEnabled) throw new AppError('cloud-app.disabled');
  const relayIds = await findRelaysOfDevice(db, app.deviceId);
  if (relayIds.length === 0) throw new AppError('cloud-app.device-offline');
  const result = await devices.probe({ relayIds, deviceId: app.deviceId, mappingId: appId });
  if (result === undefined) throw new AppError('server.unavailable');
  const wokenAt = (await findRecentWake(db, appId))?.toISOString() ?? null;
  if (result.ok) return { state: 'on', is_ready: true, woken_at: wokenAt };
  const problem = deviceProblem(result);
  if (problem !== undefined) throw new AppError(`cloud-app.${problem}`);
  if (result.seen === 'refused') return { state: 'on', is_ready: false, woken_at: wokenAt };
  // A name that only the host itself announces is unknown while it is off.
  const isSilent = result.step === 'tcp' && (result.seen === 'timeout' || result.seen === 'unreachable');
  if (!isSilent && result.seen !== 'not_found') throw new AppError('cloud-app.state-unknown');
  return { state: 'off', is_ready: false, woken_at: wokenAt };
}

/** The owner sees everybody's, a member those of its own and of the schedule. Throws cloud-app.not-found. */
export async function listWakesOfApp(db: Db, appId: number, userId: number): Promise<WakeRow[]> {
  const { ownerId } = await getApp(db, appId, userId);
  return await listWakes(db, appId, ownerId === userId ? undefined : userId);
}

async function getApp(db: Db, appId: number, userId: number): Promise<CloudAppRow> {
  const app = await findCloudApp(db, appId, userId);
  if (!app) throw new AppError('cloud-app.not-found');
  return app;
}
