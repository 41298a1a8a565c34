import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { DeviceRoutes, ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import type { DeviceChange } from '../../live/index.ts';
import { PendingChanges } from './pending-changes.ts';
import { type DevicesRead, readDevices } from './read-devices.ts';
import { listDeviceIds, type RouteDefaults } from './route-store.ts';

/** A relay to which routes are sent. */
export type RouteSubscriber = {
  send: (message: ServerToRelay) => void;
  /** Sends a large message. Resolves when it has left this process, or the connection has ended. */
  deliver: (message: ServerToRelay) => Promise<void>;
};
export type RouteFeedDeps = RouteDefaults & { db: Db; log: Logger; gateKey: Buffer; consoleUrl: string };

type Subscription = {
  version: number;
  /** Id of the last device of the snapshot that was sent, 0 before the first. Undefined when the snapshot is complete. */
  sentUpTo: number | undefined;
  /** A part of the snapshot is being sent. */
  isSending: boolean;
};
type DeviceReader = { deviceId: number; use: (routes: DeviceRoutes | undefined) => void };

const BATCH = 200;
// Relays keep the device's old routes until then.
const UNREADABLE_RETRY_MS = 10_000;
// If more devices have changed, a new snapshot is cheaper.
const MAX_CHANGED = 5_000;
// A caller of the API waits for this. After it, the address works a moment later than the answer.
const MAX_WAIT_MS = 2_000;

/**
 * Keeps the routes of all connected relays equal to the database. One worker reads and sends sequentially, so it never
 * sends an older state after a newer one. Each step is bounded: snapshots are sent in parts, with changes in between. A
 * device that cannot be read does not block others.
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

  /** Sends the subscriber a snapshot, then every change. Subscribing again sends a new snapshot. */
  subscribe(subscriber: RouteSubscriber): void {
    const version = this.#subscriptions.get(subscriber)?.version ?? 0;
    // With a new object, a part of the old snapshot that is being read is not sent any more.
    this.#subscriptions.set(subscriber, { version, sentUpTo: 0, isSending: false });
    this.#wake();
  }

  unsubscribe(subscriber: RouteSubscriber): void {
    this.#subscriptions.delete(subscriber);
  }

  /** Sends a changed device to all subscribers. A repeat of the same change is ignored. */
  sendDevice(change: DeviceChange): void {
    void this.#add(change, { isAwaited: false });
  }

  /** Sends every subscriber a new snapshot. */
  resendAll(): void {
    this.#changes.clear();
    for (const subscriber of this.#subscriptions.keys()) this.subscribe(subscriber);
  }

  /** Reads one device, ordered with everything else that is sent. `use` must send it synchronously. */
  readDevice(deviceId: number, use: DeviceReader['use']): void {
    this.#readers.add({ deviceId, use });
    this.#wake();
  }

  /**
   * Resolves when the change was sent to the subscribers, after two seconds at most. The change is sent even if its
   * notification has not arrived yet, which then counts as a repeat.
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
    // A relay that subscribes later gets a snapshot that contains the change.
    if (this.#stop.signal.aborted || this.#subscriptions.size === 0) return;
    const sent = this.#changes.add(change, options);
    if (this.#changes.size > MAX_CHANGED) this.resendAll();
    this.#wake();
    await sent;
  }

  #wake(): void {
    if (this.#hasWork()) this.#worker ??= this.#work();
  }

  #hasWork(): boolean {
    if (this.#stop.signal.aborted) return false;
    return this.#readers.size > 0 || this.#changes.size > 0 || this.#dueForPart().length > 0;
  }

  /** Subscribers that wait for the next part of their snapshot. */
  #dueForPart(): [RouteSubscriber, Subscription][] {
    return [...this.#subscriptions].filter(([, { sentUpTo, isSending }]) => sentUpTo !== undefined && !isSending);
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
    // No await between the last check and this line, so no wake-up is lost.
    this.#worker = undefined;
  }

  async #step(): Promise<void> {
    if (this.#readers.size > 0) await this.#serveReaders();
    if (this.#changes.size > 0) await this.#sendChanges();
    await this.#sendPart();
  }

  /** Sends the next part of the snapshot to all relays that have the same parts. */
  async #sendPart(): Promise<void> {
    const due = this.#dueForPart();
    const after = due[0]?.[1].sentUpTo;
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
      if (!isSame || subscription.sentUpTo !== after) continue;
      subscription.sentUpTo = isLast ? undefined : read.ids.at(-1);
      subscription.isSending = true;
      void subscriber.deliver({ ...part, version: ++subscription.version }).finally(() => {
        subscription.isSending = false;
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
        if (!unreadable.has(deviceId)) this.#broadcast(deviceId, found.get(deviceId));
        batch.get(deviceId)?.resolve();
        batch.delete(deviceId);
      }
    } finally {
      this.#changes.putBack(batch);
    }
  }

  #broadcast(deviceId: number, device: DeviceRoutes | undefined): void {
    for (const [subscriber, subscription] of this.#subscriptions) {
      // Its snapshot is not read yet and will contain this change.
      if (subscription.sentUpTo === 0) continue;
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
      this.sendDevice({ deviceId });
    };
    this.#retries.set(deviceId, setTimeout(retry, UNREADABLE_RETRY_MS));
  }
}
