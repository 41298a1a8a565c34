import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { DeviceRoutes, ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { type DevicesRead, readDevices } from './read-devices.ts';
import { listDeviceIds, type RouteDefaults } from './route-store.ts';

/** Where a relay's picture of the routes is sent to. */
export type RouteSubscriber = {
  send: (message: ServerToRelay) => void;
  /** The same for what is large; resolves when it has left this process, or never will. */
  deliver: (message: ServerToRelay) => Promise<void>;
};
export type RouteFeedDeps = RouteDefaults & { db: Db; log: Logger; gateKey: Buffer; consoleUrl: string };

type Subscription = {
  version: number;
  /** The last device that was told of a whole picture, 0 before the first; undefined when all of it was told. */
  toldUpTo: number | undefined;
  /** A part of it is on its way. */
  isBusy: boolean;
};
type DeviceReader = {
  deviceId: number;
  use: (routes: DeviceRoutes | undefined) => void;
  /** Where nothing can be told of the device. */
  giveUp?: () => void;
};

const BATCH = 200;
// Until then its relays go by what they know of it.
const UNREADABLE_RETRY_MS = 10_000;
// More changes than this are cheaper to tell as one new picture.
const MAX_CHANGED = 5_000;
// Somebody waits for an answer meanwhile; what is told later opens the address a moment after it.
const MAX_TELL_MS = 2_000;

/**
 * Keeps the pictures of all connected relays equal to the database. One worker reads and sends, one thing at a time,
 * so no older state is ever sent after a newer one. Each thing is bounded, whole pictures go out in parts between changes,
 * and what cannot be told of a device keeps no other from being told.
 */
export class RouteFeed implements AsyncDisposable {
  readonly #deps: RouteFeedDeps;
  readonly #subscriptions = new Map<RouteSubscriber, Subscription>();
  readonly #changed = new Set<number>();
  readonly #readers = new Set<DeviceReader>();
  readonly #waiting = new Set<() => void>();
  readonly #retries = new Map<number, NodeJS.Timeout>();
  readonly #stop = new AbortController();
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 2_000, random: Math.random });
  #worker: Promise<void> | undefined;

  constructor(deps: RouteFeedDeps) {
    this.#deps = deps;
  }

  /** The subscriber gets a whole picture, and every change. Subscribing again means: a new picture. */
  subscribe(subscriber: RouteSubscriber): void {
    const version = this.#subscriptions.get(subscriber)?.version ?? 0;
    // Another object: a part of the picture before that is being read is not sent any more.
    this.#subscriptions.set(subscriber, { version, toldUpTo: 0, isBusy: false });
    this.#wake();
  }

  unsubscribe(subscriber: RouteSubscriber): void {
    this.#subscriptions.delete(subscriber);
  }

  deviceChanged(deviceId: number): void {
    this.#changed.add(deviceId);
    if (this.#changed.size > MAX_CHANGED) this.everythingChanged();
    this.#wake();
  }

  everythingChanged(): void {
    this.#changed.clear();
    for (const subscriber of this.#subscriptions.keys()) this.subscribe(subscriber);
  }

  /** Reads one device in turn with everything else that is sent; `use` must send at once. */
  readDevice(deviceId: number, use: DeviceReader['use']): void {
    this.#ask({ deviceId, use });
  }

  /**
   * Resolves when the subscribers have been sent what this device is now, whatever notice of it is still under way; after
   * two seconds in any case, and then they are told when its notice comes.
   */
  async tell(deviceId: number): Promise<void> {
    if (this.#stop.signal.aborted || this.#subscriptions.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const reader: DeviceReader = {
      deviceId,
      use: (device) => {
        this.#sendDevice(deviceId, device);
        resolve();
      },
      giveUp: resolve,
    };
    const timer = setTimeout(resolve, MAX_TELL_MS);
    this.#waiting.add(resolve);
    this.#ask(reader);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
    this.#readers.delete(reader);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscriptions.clear();
    for (const timer of this.#retries.values()) clearTimeout(timer);
    for (const resolve of this.#waiting) resolve();
    await this.#worker;
  }

  #ask(reader: DeviceReader): void {
    this.#readers.add(reader);
    this.#wake();
  }

  #wake(): void {
    if (this.#hasWork()) this.#worker ??= this.#work();
  }

  #hasWork(): boolean {
    if (this.#stop.signal.aborted) return false;
    return this.#readers.size > 0 || this.#changed.size > 0 || this.#due().length > 0;
  }

  /** Whose picture is not whole and may be told on. */
  #due(): [RouteSubscriber, Subscription][] {
    return [...this.#subscriptions].filter(([, { toldUpTo, isBusy }]) => toldUpTo !== undefined && !isBusy);
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      try {
        await this.#step();
        this.#backoff.reset();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not read routes for the relays, trying again');
        await wait(this.#backoff.nextMs(), undefined, { signal: this.#stop.signal }).catch(() => undefined); // stopping
      }
    }
    // In the same turn as the last look for work, so that no wake-up falls between.
    this.#worker = undefined;
  }

  async #step(): Promise<void> {
    if (this.#readers.size > 0) await this.#serveReaders();
    if (this.#changed.size > 0) await this.#sendChanges();
    await this.#sendPart();
  }

  /** The next part of the picture, to all relays that have come as far. */
  async #sendPart(): Promise<void> {
    const due = this.#due();
    const after = due[0]?.[1].toldUpTo;
    if (after === undefined) return;
    const ids = await listDeviceIds(this.#deps.db, after, BATCH);
    const read = await this.#read(ids);
    const isLast = ids.length < BATCH && read.ids.length === ids.length;
    const part = {
      type: 'snapshot' as const,
      ...{ isFirst: after === 0, isLast },
      ...{ gateKey: this.#deps.gateKey.toString('base64url'), consoleUrl: this.#deps.consoleUrl },
      ...{ devices: [...read.found.values()], keptDeviceIds: [...read.unreadable] },
    };
    for (const [subscriber, subscription] of due) {
      const isSame = this.#subscriptions.get(subscriber) === subscription;
      if (!isSame || subscription.toldUpTo !== after) continue;
      subscription.toldUpTo = isLast ? undefined : read.ids.at(-1);
      subscription.isBusy = true;
      void subscriber.deliver({ ...part, version: ++subscription.version }).finally(() => {
        subscription.isBusy = false;
        this.#wake();
      });
    }
  }

  async #serveReaders(): Promise<void> {
    const batch = [...this.#readers].slice(0, BATCH);
    const { ids, found, unreadable } = await this.#read([...new Set(batch.map((reader) => reader.deviceId))]);
    const isRead = new Set(ids);
    for (const reader of batch) {
      const { deviceId } = reader;
      // One that waits no more has been taken out meanwhile.
      if (!isRead.has(deviceId) || !this.#readers.delete(reader)) continue;
      if (unreadable.has(deviceId)) reader.giveUp?.();
      else reader.use(found.get(deviceId));
    }
  }

  async #sendChanges(): Promise<void> {
    const batch = [...this.#changed].slice(0, BATCH);
    for (const deviceId of batch) this.#changed.delete(deviceId);
    const left = new Set(batch);
    try {
      const { ids, found, unreadable } = await this.#read(batch);
      for (const deviceId of ids) {
        left.delete(deviceId);
        if (!unreadable.has(deviceId)) this.#sendDevice(deviceId, found.get(deviceId));
      }
    } finally {
      for (const deviceId of left) this.#changed.add(deviceId);
    }
  }

  #sendDevice(deviceId: number, device: DeviceRoutes | undefined): void {
    for (const [subscriber, subscription] of this.#subscriptions) {
      // Its picture is yet to be begun and will hold this.
      if (subscription.toldUpTo === 0) continue;
      const version = ++subscription.version;
      subscriber.send(device ? { type: 'device', version, device } : { type: 'device_removed', version, deviceId });
    }
  }

  async #read(deviceIds: number[]): Promise<DevicesRead> {
    const read = await readDevices(this.#deps, deviceIds);
    for (const deviceId of read.unreadable) this.#retryLater(deviceId);
    return read;
  }

  #retryLater(deviceId: number): void {
    if (this.#retries.has(deviceId) || this.#stop.signal.aborted) return;
    const retry = (): void => {
      this.#retries.delete(deviceId);
      this.deviceChanged(deviceId);
    };
    this.#retries.set(deviceId, setTimeout(retry, UNREADABLE_RETRY_MS));
  }
}
