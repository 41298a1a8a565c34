import type { Db } from '../../../db/driver.ts';
import { type DeviceLink, wakeByDevice } from './wake-by-device.ts';
import { claimScheduledWake, type DueApp, listDueApps, type ScheduleMinute, storeWakeResult } from './wake-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Beijing keeps UTC+8 all year round. */
const BEIJING_OFFSET_MS = 8 * 60 * MINUTE_MS;
/** In the first half of a minute only a process that is connected to the device's relay takes it. */
const OTHERS_AFTER_MS = 30_000;

export type WakeScheduledDeps = { db: Db; devices: Pick<DeviceLink, 'isConnectedTo' | 'wake'> };

/**
 * Wakes the hosts whose time is this minute. Several processes may call this, each as often as it likes: one of them wakes
 * each host, once. A minute in which no server ran is not made up for.
 */
export async function wakeScheduled({ db, devices }: WakeScheduledDeps, wallClockMs: number): Promise<void> {
  const minute = minuteOf(wallClockMs);
  const isForAnybody = wallClockMs - minute.startsAt.getTime() >= OTHERS_AFTER_MS;
  const wake = async ({ id: appId, deviceId, options: { mac }, relayIds }: DueApp) => {
    const isOffline = relayIds.length === 0;
    if (!isOffline && !isForAnybody && !devices.isConnectedTo(relayIds)) return;
    const wakeId = await claimScheduledWake(db, { appId, startsAt: minute.startsAt });
    if (wakeId !== undefined)
      await storeWakeResult(db, wakeId, await wakeByDevice(devices, { relayIds, deviceId, mac }));
  };
  await Promise.all((await listDueApps(db, minute)).map(wake));
}

function minuteOf(wallClockMs: number): ScheduleMinute {
  const startsAtMs = Math.floor(wallClockMs / MINUTE_MS) * MINUTE_MS;
  const inBeijing = new Date(startsAtMs + BEIJING_OFFSET_MS);
  const weekday = ((Math.floor(inBeijing.getTime() / DAY_MS) + 3) % 7) + 1; // 1970-01-01 was a Thursday, 4
  return { startsAt: new Date(startsAtMs), weekday, clock: inBeijing.toISOString().slice(11, 16) };
}
