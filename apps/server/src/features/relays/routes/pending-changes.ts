import type { DeviceChange } from '../../live/index.ts';

export type PendingDevice = { resolve: () => void; sent: Promise<void>; isAwaited: boolean };

/** Notification and answer of a change come within seconds of each other. A change that is forgotten before is sent twice. */
const MAX_KNOWN = 10_000;

/**
 * The devices whose changes have not been sent to the relays yet. A change has a version, so that it is sent once, however
 * often it is added.
 */
export class PendingChanges {
  readonly #devices = new Map<number, PendingDevice>();
  /** Keys are device and version. A promise resolves when its change has been sent. */
  readonly #known = new Map<string, Promise<void>>();

  get size(): number {
    return this.#devices.size;
  }

  /** Resolves when the change has been sent or cannot be sent. Several changes of a device are sent as one, the newest state. */
  add({ deviceId, version }: DeviceChange, { isAwaited }: { isAwaited: boolean }): Promise<void> {
    const key = `${deviceId} ${version}`;
    const known = version === undefined ? undefined : this.#known.get(key);
    const pending = this.#devices.get(deviceId);
    if (known !== undefined) {
      // If it is already being sent, the pending entry is another change of the device.
      if (pending?.sent === known) pending.isAwaited ||= isAwaited;
      return known;
    }
    const device = pending ?? { ...createSignal(), isAwaited: false };
    device.isAwaited ||= isAwaited;
    this.#devices.set(deviceId, device);
    if (version !== undefined) this.#remember(key, device.sent);
    return device.sent;
  }

  /** Removes up to `limit` devices, those with a waiting answer first. The caller resolves each or puts it back. */
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

  /** Resolves and removes all changes, because a new snapshot contains them. */
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
