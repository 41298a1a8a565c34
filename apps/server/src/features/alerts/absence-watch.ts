import type { Db } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { deviceStateOf, withPresenceLocked } from '../devices/index.ts';
import type { OfflineDevice, OnlineDevice } from './alert-details.ts';
import {
  deleteAbsences,
  listEndedAbsences,
  listUnreportedAbsences,
  recordAbsences,
  type AbsentDevice,
  type ReturnedDevice,
} from './absence-store.ts';
import { insertDelivery, listSubscribedChannels } from './delivery-store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** After a start, relays and devices have this long to reconnect before anything is reported. */
const GRACE_MS = MINUTE_MS;
/** A longer gap between checks counts as a start: process or database were stopped, and presences may be outdated. */
const MAX_CHECK_GAP_MS = 45 * SECOND_MS;
/** A device counts as back once it has been online for this long, because it may disconnect again at once. */
const STABLE_MS = 30 * SECOND_MS;
/** A report waits for other devices of the same owner that are due within this time, so that one message has all. */
const BATCH_MS = 15 * SECOND_MS;
/** No report waits longer than this for other devices. */
const MAX_BATCH_DELAY_MS = MINUTE_MS;

/** The device is not to blame for these: such an absence counts only from when this process began to watch. */
const reasonsOfRelay: readonly (string | null)[] = ['relay_lost', 'relay_stopped'];

/** Reports each absence and each return of a device once, even if several server processes watch. */
export class AbsenceWatch {
  readonly #db: Db;
  readonly #readClock: (db: Db) => Promise<Date>;
  #watchingSince: Date | undefined;
  #lastCheck: Date | undefined;

  constructor(db: Db, readTime: (db: Db) => Promise<Date> = readClock) {
    this.#db = db;
    this.#readClock = readTime;
  }

  async check(): Promise<void> {
    const now = await this.#readClock(this.#db);
    const gapMs = this.#lastCheck ? now.getTime() - this.#lastCheck.getTime() : Infinity;
    if (gapMs > MAX_CHECK_GAP_MS) this.#watchingSince = now;
    const watchingSince = this.#watchingSince ?? now;
    try {
      if (now.getTime() - watchingSince.getTime() >= GRACE_MS) await this.#report({ now, watchingSince });
    } finally {
      this.#lastCheck = await this.#readClock(this.#db); // the time of a slow check is not part of the gap
    }
  }

  async #report(at: Moment): Promise<void> {
    const errors = await runAll(
      [async () => await this.#reportAbsences(at), async () => await this.#reportReturns(at.now)],
      async (report) => await report(),
    );
    const [error, ...others] = errors;
    if (others.length > 0) throw new AggregateError(errors, 'neither absences nor returns could be reported');
    if (error !== undefined) throw error;
  }

  async #reportAbsences(at: Moment): Promise<void> {
    const overdueMs = (device: AbsentDevice): number => at.now.getTime() - dueAtMs(device, at);
    await forEachOwner(await listUnreportedAbsences(this.#db), async (userId, devices) => {
      const due = dueBatch(devices, overdueMs).map(({ id }) => id);
      if (due.length === 0) return;
      await this.#db.transaction().execute(async (tx) => {
        await withPresenceLocked(tx, due, async () => {
          const still = (await listUnreportedAbsences(tx, due)).filter((device) => overdueMs(device) >= 0);
          await insertOfflineDeliveries(tx, userId, still);
        });
      });
    });
  }

  async #reportReturns(now: Date): Promise<void> {
    const overdueMs = (device: ReturnedDevice): number => stableMs(device, now) - STABLE_MS;
    await forEachOwner(await listEndedAbsences(this.#db), async (userId, devices) => {
      const due = dueBatch(devices, overdueMs).map(({ id }) => id);
      if (due.length === 0) return;
      await this.#db.transaction().execute(async (tx) => {
        await withPresenceLocked(tx, due, async () => {
          const still = (await listEndedAbsences(tx, due)).filter((device) => overdueMs(device) >= 0);
          await insertOnlineDeliveries(tx, userId, { devices: still, now });
        });
      });
    });
  }
}

type Moment = { now: Date; watchingSince: Date };

/** The absence is reported when the owner's chosen minutes have passed. */
function dueAtMs(device: AbsentDevice, { now, watchingSince }: Moment): number {
  const { since, offlineReason } = deviceStateOf(device);
  const isOfRelay = reasonsOfRelay.includes(offlineReason);
  const from = [since ?? now, device.watchedFrom, ...(isOfRelay ? [watchingSince] : [])];
  return Math.max(...from.map((at) => at.getTime())) + device.offlineAfterMinutes * MINUTE_MS;
}

/** How long the device has been online without a break. The absence of a disabled device ends at once. */
function stableMs(device: ReturnedDevice, now: Date): number {
  const at = reconnectedAt(device);
  return device.enabled && at ? now.getTime() - at.getTime() : STABLE_MS;
}

/** Undefined when only the relay was lost and the device stayed connected to it: its presence did not change. */
function reconnectedAt({ changedAt, absentSince }: ReturnedDevice): Date | undefined {
  return changedAt && changedAt > absentSince ? changedAt : undefined;
}

/** Returns the devices that are due, or none while another device of the owner will be due within `BATCH_MS`. */
function dueBatch<Device>(devices: Device[], overdueMs: (device: Device) => number): Device[] {
  const overdue = devices.map(overdueMs);
  const isNextNear = overdue.some((ms) => ms < 0 && ms > -BATCH_MS);
  const isDelayedLong = overdue.some((ms) => ms > MAX_BATCH_DELAY_MS);
  return isNextNear && !isDelayedLong ? [] : devices.filter((_, index) => (overdue[index] ?? 0) >= 0);
}

async function insertOfflineDeliveries(tx: Db, userId: number, devices: AbsentDevice[]): Promise<void> {
  const absences = devices.flatMap((device) => {
    const { since, offlineReason: reason } = deviceStateOf(device);
    return since ? [{ device, since, reason }] : [];
  });
  const recorded = await recordAbsences(
    tx,
    absences.map(({ device, since }) => ({ deviceId: device.id, since })),
  );
  const offline = absences
    .filter(({ device }) => recorded.has(device.id))
    .map(({ device: { id, uid, name }, since, reason }): OfflineDevice => {
      return { id, uid, name, since: since.toISOString(), reason };
    });
  if (offline.length === 0) return;
  for (const { id: channelId } of await listSubscribedChannels(tx, userId, 'device_offline')) {
    await insertDelivery(tx, channelId, { event: 'device_offline', devices: offline });
  }
}

async function insertOnlineDeliveries(
  tx: Db,
  userId: number,
  { devices, now }: { devices: ReturnedDevice[]; now: Date },
): Promise<void> {
  const ended = await deleteAbsences(
    tx,
    devices.map(({ id }) => id),
  );
  const returned = devices.filter(({ id, enabled, alertsEnabled }) => ended.has(id) && enabled && alertsEnabled);
  if (returned.length === 0) return;
  for (const { id: channelId, createdAt } of await listSubscribedChannels(tx, userId, 'device_online')) {
    // A channel that was added after the absence was reported did not report it, so it does not report the end either.
    const reported = returned.filter(({ notifiedAt }) => notifiedAt >= createdAt);
    const online = reported.map((device) => onlineDetails(device, now));
    if (online.length > 0) await insertDelivery(tx, channelId, { event: 'device_online', devices: online });
  }
}

function onlineDetails(device: ReturnedDevice, now: Date): OnlineDevice {
  const { id, uid, name, absentSince } = device;
  return { id, uid, name, since: absentSince.toISOString(), back: (reconnectedAt(device) ?? now).toISOString() };
}

async function forEachOwner<Device extends { userId: number }>(
  devices: Device[],
  report: (userId: number, devices: Device[]) => Promise<void>,
): Promise<void> {
  const byOwner = Map.groupBy(devices, (device) => device.userId);
  const errors = await runAll(byOwner, async ([userId, own]) => await report(userId, own));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} owners could not be notified`);
}

/** Works on one item after another, also after a failure, and returns all errors. */
async function runAll<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
