import type { DeviceRoutes } from '@tongtu/contract';

/** A whole picture of the routes on its way in parts, together with what was told of single devices meanwhile. */
export class ComingPicture {
  readonly #devices = new Map<number, DeviceRoutes>();
  readonly #kept = new Set<number>();

  get devices(): DeviceRoutes[] {
    return [...this.#devices.values()];
  }

  /** Those that the server could not read. */
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
