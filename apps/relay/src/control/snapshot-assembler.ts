import type { DeviceRoutes } from '@tongtu/contract';

/** Collects a snapshot of the routes that arrives in parts, together with the changes of single devices meanwhile. */
export class SnapshotAssembler {
  readonly #devices = new Map<number, DeviceRoutes>();
  readonly #kept = new Set<number>();

  get devices(): DeviceRoutes[] {
    return [...this.#devices.values()];
  }

  /** Devices that the server could not read: they stay as the relay has them. */
  get keptDeviceIds(): number[] {
    return [...this.#kept];
  }

  add({ devices, keptDeviceIds }: { devices: DeviceRoutes[]; keptDeviceIds: number[] }): void {
    for (const device of devices) this.put(device);
    for (const deviceId of keptDeviceIds) this.#kept.add(deviceId);
  }

  put(device: DeviceRoutes): void {
    this.#devices.set(device.deviceId, device);
    this.#kept.delete(device.deviceId);
  }

  remove(deviceId: number): void {
    this.#devices.delete(deviceId);
    this.#kept.delete(deviceId);
  }
}
