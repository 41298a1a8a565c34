import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { DeviceRoutes, ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { readAllRoutes, readRoutes, type RouteDefaults } from './route-store.ts';

/** Where a relay's picture of the routes is sent to. */
export type RouteSubscriber = { send: (message: ServerToRelay) => void };
export type RouteFeedDeps = RouteDefaults & { db: Db; log: Logger; gateKey: Buffer; consoleUrl: string };

type Subscription = { version: number; wantsSnapshot: boolean };
type DeviceReader = { deviceId: number; use: (routes: DeviceRoutes | undefined) => void };

const BATCH = 200;
// More changes than this are cheaper to tell as one new picture.
const MAX_CHANGED = 5_000;

/**
 * Keeps the pictures of all connected relays equal to the database. One worker reads and sends, one thing at a time,
 * so no older state is ever sent after a newer one.
 */
export class RouteFeed implements AsyncDisposable {
  readonly #deps: RouteFeedDeps;
  readonly #subscriptions = new Map<RouteSubscriber, Subscription>();
  readonly #changed = new Set<number>();
  readonly #readers: DeviceReader[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 2_000, random: Math.random });
  #worker: Promise<void> | undefined;

  constructor(deps: RouteFeedDeps) {
    this.#deps = deps;
  }

  /** The subscriber gets a snapshot, then every change. Subscribing again means: a new snapshot. */
  subscribe(subscriber: RouteSubscriber): void {
    const version = this.#subscriptions.get(subscriber)?.version ?? 0;
    this.#subscriptions.set(subscriber, { version, wantsSnapshot: true });
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
    for (const subscription of this.#subscriptions.values()) subscription.wantsSnapshot = true;
    this.#wake();
  }

  /** Reads one device in turn with everything else that is sent; `use` must send at once. */
  readDevice(deviceId: number, use: DeviceReader['use']): void {
    this.#readers.push({ deviceId, use });
    this.#wake();
  }

  /** Resolves when the subscribers have been sent what this device is now, whatever notice of it is still under way. */
  async tell(deviceId: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    this.readDevice(deviceId, (device) => {
      this.#sendDevice(deviceId, device);
      resolve();
    });
    await promise;
    this.#waiting.delete(resolve);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscriptions.clear();
    for (const resolve of this.#waiting) resolve();
    await this.#worker;
  }

  #wake(): void {
    if (this.#hasWork()) this.#worker ??= this.#work();
  }

  #hasWork(): boolean {
    if (this.#stop.signal.aborted) return false;
    return this.#wanting().length > 0 || this.#readers.length > 0 || this.#changed.size > 0;
  }

  #wanting(): [RouteSubscriber, Subscription][] {
    return [...this.#subscriptions].filter(([, subscription]) => subscription.wantsSnapshot);
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
    const wanting = this.#wanting();
    if (wanting.length > 0) await this.#sendSnapshots(wanting);
    else if (this.#readers.length > 0) await this.#serveReaders();
    else await this.#sendChanges();
  }

  async #sendSnapshots(fresh: [RouteSubscriber, Subscription][]): Promise<void> {
    // Lowered before reading: a wish that comes meanwhile asks for a newer picture than this one.
    for (const [, subscription] of fresh) subscription.wantsSnapshot = false;
    try {
      const devices = await readAllRoutes(this.#deps.db, this.#deps);
      const gateKey = this.#deps.gateKey.toString('base64url');
      for (const [subscriber, subscription] of fresh) {
        if (this.#subscriptions.get(subscriber) !== subscription) continue;
        const version = ++subscription.version;
        subscriber.send({ type: 'snapshot', version, gateKey, consoleUrl: this.#deps.consoleUrl, devices });
      }
    } catch (error) {
      for (const [, subscription] of fresh) subscription.wantsSnapshot = true;
      throw error;
    }
  }

  async #serveReaders(): Promise<void> {
    const batch = this.#readers.slice(0, BATCH);
    const found = await this.#read(batch.map((reader) => reader.deviceId));
    this.#readers.splice(0, batch.length);
    for (const { deviceId, use } of batch) use(found.get(deviceId));
  }

  async #sendChanges(): Promise<void> {
    const batch = [...this.#changed].slice(0, BATCH);
    for (const deviceId of batch) this.#changed.delete(deviceId);
    try {
      const found = await this.#read(batch);
      for (const deviceId of batch) this.#sendDevice(deviceId, found.get(deviceId));
    } catch (error) {
      for (const deviceId of batch) this.#changed.add(deviceId);
      throw error;
    }
  }

  #sendDevice(deviceId: number, device: DeviceRoutes | undefined): void {
    for (const [subscriber, subscription] of this.#subscriptions) {
      // Its snapshot is yet to be read and will hold this.
      if (subscription.wantsSnapshot) continue;
      const version = ++subscription.version;
      subscriber.send(device ? { type: 'device', version, device } : { type: 'device_removed', version, deviceId });
    }
  }

  async #read(deviceIds: number[]): Promise<Map<number, DeviceRoutes>> {
    const devices = await readRoutes(this.#deps.db, deviceIds, this.#deps);
    return new Map(devices.map((device) => [device.deviceId, device]));
  }
}
