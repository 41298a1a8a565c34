import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { DeviceRoutes, ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { DeviceChange } from '../live/index.ts';
import { PendingChanges } from './pending-changes.ts';
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
type DeviceReader = { deviceId: number; use: (routes: DeviceRoutes | undefined) => void };

const BATCH = 200;
// Until then its relays go by what they know of it.
const UNREADABLE_RETRY_MS = 10_000;
// More changes than this are cheaper to tell as one new picture.
const MAX_CHANGED = 5_000;
// A caller of the API waits meanwhile; after that the address opens a moment after the answer.
const MAX_WAIT_MS = 2_000;

/**
 * Keeps the pictures of all connected relays equal to the database. One worker reads and sends, one thing at a time,
 * so no older state is ever sent after a newer one. Each thing is bounded, whole pictures go out in parts between changes,
 * and what cannot be told of a device keeps no other from being told.
 */
export class RouteFeed implements AsyncDisposable {
  readonly #deps: RouteFeedDeps;
  readonly #subscriptions = new Map<RouteSubscriber, Subscription>();
  readonly #changes = new PendingChanges();
  readonly #readers = new Set<DeviceReader>();
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

  /** A repeat of the same change costs nothing; without relays there is nobody to send it to. */
  deviceChanged(change: DeviceChange): void {
    void this.#add(change, { isAwaited: false });
  }

  everythingChanged(): void {
    this.#changes.clear();
    for (const subscriber of this.#subscriptions.keys()) this.subscribe(subscriber);
  }

  /** Reads one device in turn with everything else that is sent; `use` must send at once. */
  readDevice(deviceId: number, use: DeviceReader['use']): void {
    this.#readers.add({ deviceId, use });
    this.#wake();
  }

  /**
   * Resolves when the subscribers have been sent the change, and after two seconds in any case. It need not have been
   * announced to this process yet: its notification is a repeat then.
   */
  async whenSent(change: DeviceChange): Promise<void> {
    const sent = this.#add(change, { isAwaited: true });
    const waited = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, waited.signal]);
    await Promise.race([sent, wait(MAX_WAIT_MS, undefined, { signal }).catch(() => undefined)]); // sent, or stopping
    waited.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscriptions.clear();
    for (const timer of this.#retries.values()) clearTimeout(timer);
    await this.#worker;
  }

  async #add(change: DeviceChange, options: { isAwaited: boolean }): Promise<void> {
    // A relay that subscribes later gets a snapshot that is read after this.
    if (this.#stop.signal.aborted || this.#subscriptions.size === 0) return;
    const sent = this.#changes.add(change, options);
    if (this.#changes.size > MAX_CHANGED) this.everythingChanged();
    this.#wake();
    await sent;
  }

  #wake(): void {
    if (this.#hasWork()) this.#worker ??= this.#work();
  }

  #hasWork(): boolean {
    if (this.#stop.signal.aborted) return false;
    return this.#readers.size > 0 || this.#changes.size > 0 || this.#due().length > 0;
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
    if (this.#changes.size > 0) await this.#sendChanges();
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
      if (!isRead.has(deviceId)) continue;
      this.#readers.delete(reader);
      if (!unreadable.has(deviceId)) reader.use(found.get(deviceId));
    }
  }

  async #sendChanges(): Promise<void> {
    const batch = this.#changes.take(BATCH);
    try {
      const { ids, found, unreadable } = await this.#read([...batch.keys()]);
      for (const deviceId of ids) {
        if (!unreadable.has(deviceId)) this.#sendDevice(deviceId, found.get(deviceId));
        batch.get(deviceId)?.resolve();
        batch.delete(deviceId);
      }
    } finally {
      this.#changes.putBack(batch);
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
      this.deviceChanged({ deviceId });
    };
    this.#retries.set(deviceId, setTimeout(retry, UNREADABLE_RETRY_MS));
  }
}
