import type { DeviceChange } from '../live/index.ts';

export type PendingDevice = { resolve: () => void; sent: Promise<void>; isAwaited: boolean };

/** A change is announced and awaited within seconds; one that has been forgotten by then is sent a second time. */
const MAX_KNOWN = 10_000;

/**
 * The devices that changed and whose relays have not been sent them yet. A change has a version, so that the same change
 * is pending or sent once, however often it is added.
 */
export class PendingChanges {
  readonly #devices = new Map<number, PendingDevice>();
  /** By device and version; each resolves when the change has been sent. */
  readonly #known = new Map<string, Promise<void>>();

  get size(): number {
    return this.#devices.size;
  }

  /** Resolves when the change has been sent, or cannot be; of several changes of one device the newest state is sent. */
  add({ deviceId, version }: DeviceChange, { isAwaited }: { isAwaited: boolean }): Promise<void> {
    const key = `${deviceId} ${version}`;
    const known = version === undefined ? undefined : this.#known.get(key);
    const pending = this.#devices.get(deviceId);
    if (known !== undefined) {
      // It may have been sent already, or be on its way: then what is pending is another change of the device.
      if (pending?.sent === known) pending.isAwaited ||= isAwaited;
      return known;
    }
    const device = pending ?? { ...createSignal(), isAwaited: false };
    device.isAwaited ||= isAwaited;
    this.#devices.set(deviceId, device);
    if (version !== undefined) this.#remember(key, device.sent);
    return device.sent;
  }

  /** Takes out as many devices; those first that an answer waits for. Each must be resolved or put back. */
  take(limit: number): Map<number, PendingDevice> {
    const awaited = [...this.#devices].filter(([, { isAwaited }]) => isAwaited);
    const others = [...this.#devices].filter(([, { isAwaited }]) => !isAwaited);
    const taken = new Map([...awaited, ...others].slice(0, limit));
    for (const deviceId of taken.keys()) this.#devices.delete(deviceId);
    return taken;
  }

  putBack(devices: ReadonlyMap<number, PendingDevice>): void {
    for (const [deviceId, device] of devices) {
      const newer = this.#devices.get(deviceId);
      if (newer === undefined) this.#devices.set(deviceId, device);
      else {
        newer.isAwaited ||= device.isAwaited;
        void newer.sent.then(device.resolve);
      }
    }
  }

  /** For a snapshot, which holds all of them. Nobody waits any more. */
  clear(): void {
    for (const { resolve } of this.#devices.values()) resolve();
    this.#devices.clear();
    this.#known.clear();
  }

  #remember(key: string, sent: Promise<void>): void {
    this.#known.set(key, sent);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
  }
}

function createSignal(): Pick<PendingDevice, 'resolve' | 'sent'> {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { sent: promise, resolve };
}
