import type { Db } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { withPresenceLocked, deviceStateOf } from '../devices/index.ts';
import type { DeviceBack, DeviceGone } from './alert-details.ts';
import {
  endTold,
  listReturned,
  listUntold,
  recordTold,
  type ReturnedDevice,
  type UntoldDevice,
} from './absence-store.ts';
import { insertDelivery, listListeners } from './delivery-store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** After a start, relays and then their devices have this long to come back before anything is told. */
const SETTLE_MS = MINUTE_MS;
/** Nobody looked for so long: the process or the database was not there, and what relays tell may be as old. */
const MAX_PAUSE_MS = 45 * SECOND_MS;
/** Who comes back for less may be gone again before the message is read. */
const STEADY_MS = 30 * SECOND_MS;
/** Devices that go or come together are told in one message: those that will be due so soon are waited for, */
const TOGETHER_MS = 15 * SECOND_MS;
/** but not longer than this. */
const MAX_HELD_MS = MINUTE_MS;

/** The relay is the operator's: what it alone went through is no fault of the device, and seen only by who watches. */
const reasonsOfRelay: readonly (string | null)[] = ['relay_lost', 'relay_stopped'];

/**
 * Finds devices that have gone, or have come back, and writes down what their owners are to be told: of each absence once,
 * however many server processes watch.
 */
export class AbsenceWatch {
  readonly #db: Db;
  readonly #readClock: (db: Db) => Promise<Date>;
  #watchingSince: Date | undefined;
  #lastLook: Date | undefined;

  constructor(db: Db, readTime: (db: Db) => Promise<Date> = readClock) {
    this.#db = db;
    this.#readClock = readTime;
  }

  async look(): Promise<void> {
    const now = await this.#readClock(this.#db);
    const pauseMs = this.#lastLook ? now.getTime() - this.#lastLook.getTime() : Infinity;
    if (pauseMs > MAX_PAUSE_MS) this.#watchingSince = now;
    const watchingSince = this.#watchingSince ?? now;
    try {
      if (now.getTime() - watchingSince.getTime() >= SETTLE_MS) await this.#tell({ now, watchingSince });
    } finally {
      this.#lastLook = await this.#readClock(this.#db); // the look itself may have taken longer than a pause
    }
  }

  async #tell(at: Moment): Promise<void> {
    const errors = await eachInTurn(
      [async () => await this.#tellOfGone(at), async () => await this.#tellOfReturned(at.now)],
      async (tell) => await tell(),
    );
    const [error, ...others] = errors;
    if (others.length > 0) throw new AggregateError(errors, 'neither who went nor who came back could be told');
    if (error !== undefined) throw error;
  }

  async #tellOfGone(at: Moment): Promise<void> {
    const overdueMs = (device: UntoldDevice): number => at.now.getTime() - dueAtMs(device, at);
    await eachOwner(await listUntold(this.#db), async (userId, devices) => {
      const due = ripe(devices, overdueMs).map(({ id }) => id);
      if (due.length === 0) return;
      await this.#db.transaction().execute(async (tx) => {
        await withPresenceLocked(tx, due, async () => {
          const still = (await listUntold(tx, due)).filter((device) => overdueMs(device) >= 0);
          await tellGone(tx, userId, still);
        });
      });
    });
  }

  async #tellOfReturned(now: Date): Promise<void> {
    const overdueMs = (device: ReturnedDevice): number => steadyMs(device, now) - STEADY_MS;
    await eachOwner(await listReturned(this.#db), async (userId, devices) => {
      const due = ripe(devices, overdueMs).map(({ id }) => id);
      if (due.length === 0) return;
      await this.#db.transaction().execute(async (tx) => {
        await withPresenceLocked(tx, due, async () => {
          const still = (await listReturned(tx, due)).filter((device) => overdueMs(device) >= 0);
          await tellReturned(tx, userId, { devices: still, now });
        });
      });
    });
  }
}

type Moment = { now: Date; watchingSince: Date };

/** When the owner's minutes are over. */
function dueAtMs(device: UntoldDevice, { now, watchingSince }: Moment): number {
  const { since, offlineReason } = deviceStateOf(device);
  const isOfRelay = reasonsOfRelay.includes(offlineReason);
  const from = [since ?? now, device.watchedFrom, ...(isOfRelay ? [watchingSince] : [])];
  return Math.max(...from.map((at) => at.getTime())) + device.offlineAfterMinutes * MINUTE_MS;
}

/** How long it has been here without a break; what is not wanted any more needs no such time. */
function steadyMs(device: ReturnedDevice, now: Date): number {
  const at = cameBackAt(device);
  return device.enabled && at ? now.getTime() - at.getTime() : STEADY_MS;
}

/** Undefined when a relay that was lost and found had it all the while: then it is here since the relay is. */
function cameBackAt({ changedAt, absentSince }: ReturnedDevice): Date | undefined {
  return changedAt && changedAt > absentSince ? changedAt : undefined;
}

/** Those whose time has come, unless there are more of the owner's about to be. */
function ripe<Device>(devices: Device[], overdueMs: (device: Device) => number): Device[] {
  const overdue = devices.map(overdueMs);
  const isNextNear = overdue.some((ms) => ms < 0 && ms > -TOGETHER_MS);
  const isHeldLong = overdue.some((ms) => ms > MAX_HELD_MS);
  return isNextNear && !isHeldLong ? [] : devices.filter((_, index) => (overdue[index] ?? 0) >= 0);
}

async function tellGone(tx: Db, userId: number, devices: UntoldDevice[]): Promise<void> {
  const absences = devices.flatMap((device) => {
    const { since, offlineReason: reason } = deviceStateOf(device);
    return since ? [{ device, since, reason }] : [];
  });
  const told = await recordTold(
    tx,
    absences.map(({ device, since }) => ({ deviceId: device.id, since })),
  );
  const gone = absences
    .filter(({ device }) => told.has(device.id))
    .map(({ device: { id, uid, name }, since, reason }): DeviceGone => {
      return { id, uid, name, since: since.toISOString(), reason };
    });
  if (gone.length === 0) return;
  for (const { id: channelId } of await listListeners(tx, userId, 'device_offline')) {
    await insertDelivery(tx, channelId, { event: 'device_offline', devices: gone });
  }
}

async function tellReturned(
  tx: Db,
  userId: number,
  { devices, now }: { devices: ReturnedDevice[]; now: Date },
): Promise<void> {
  const ended = await endTold(
    tx,
    devices.map(({ id }) => id),
  );
  const returned = devices.filter(({ id, enabled, alertsEnabled }) => ended.has(id) && enabled && alertsEnabled);
  if (returned.length === 0) return;
  for (const { id: channelId, createdAt } of await listListeners(tx, userId, 'device_online')) {
    // A channel that is younger than the absence has told nobody of it.
    const known = returned.filter(({ notifiedAt }) => notifiedAt >= createdAt).map((device) => asBack(device, now));
    if (known.length > 0) await insertDelivery(tx, channelId, { event: 'device_online', devices: known });
  }
}

function asBack(device: ReturnedDevice, now: Date): DeviceBack {
  const { id, uid, name, absentSince } = device;
  return { id, uid, name, since: absentSince.toISOString(), back: (cameBackAt(device) ?? now).toISOString() };
}

async function eachOwner<Device extends { userId: number }>(
  devices: Device[],
  tell: (userId: number, devices: Device[]) => Promise<void>,
): Promise<void> {
  const byOwner = Map.groupBy(devices, (device) => device.userId);
  const errors = await eachInTurn(byOwner, async ([userId, own]) => await tell(userId, own));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} owners could not be told`);
}

/** Nobody waits for what fails for another: it is returned when all have had their turn. */
async function eachInTurn<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<unknown[]> {
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
