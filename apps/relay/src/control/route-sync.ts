import type { DeviceRoutes } from '@tongtu/contract';
import type { RouteTable } from '../routes/route-table.ts';
import type { ServerMessage } from './server-message.ts';
import { SnapshotAssembler } from './snapshot-assembler.ts';

export type RouteSyncDeps = {
  routes: RouteTable;
  /** Asks the server for a new snapshot. */
  requestSnapshot: () => void;
  /** A whole snapshot is in the route table. */
  onSnapshot: () => void;
};

/** Keeps the route table equal to the server's routes: a snapshot first, then changes whose versions have no gap. */
export class RouteSync {
  readonly #deps: RouteSyncDeps;
  /** Of the last message that was applied; undefined until the first part of the requested snapshot arrives. */
  #version: number | undefined;
  /** The snapshot whose parts are arriving. */
  #snapshot: SnapshotAssembler | undefined;

  constructor(deps: RouteSyncDeps) {
    this.#deps = deps;
  }

  /** A new snapshot was requested: every message before its first part is ignored. */
  restart(): void {
    this.#version = undefined;
    this.#snapshot = undefined;
  }

  onMessage(message: ServerMessage<'snapshot' | 'device' | 'device_removed'>): void {
    if (message.type === 'snapshot' && message.isFirst) {
      this.#snapshot = new SnapshotAssembler();
    } else if (this.#version === undefined || message.version <= this.#version) {
      return;
    } else if (message.version > this.#version + 1) {
      this.restart();
      this.#deps.requestSnapshot();
      return;
    }
    this.#version = message.version;
    if (message.type === 'snapshot') this.#onPart(message);
    else if (message.type === 'device') this.put(message.device);
    else this.#remove(message.deviceId);
  }

  /** Applies a change of one device at once, and in the snapshot that is arriving. */
  put(device: DeviceRoutes): void {
    const { routes } = this.#deps;
    this.#snapshot?.put(device);
    if (routes.isReady) routes.putDevice(device);
  }

  /** A device that was just enrolled may be newer than the part of the snapshot that would have contained it. */
  noteEnrolled(device: DeviceRoutes): void {
    this.#snapshot?.put(device);
  }

  #remove(deviceId: number): void {
    this.#snapshot?.remove(deviceId);
    this.#deps.routes.removeDevice(deviceId);
  }

  #onPart(part: ServerMessage<'snapshot'>): void {
    this.#snapshot?.add(part);
    if (!part.isLast || this.#snapshot === undefined) return;
    const { gateKey, consoleUrl } = part;
    const { devices, keptDeviceIds } = this.#snapshot;
    this.#deps.routes.replaceAll({ gateKey, consoleUrl, devices, keptDeviceIds });
    this.#snapshot = undefined;
    this.#deps.onSnapshot();
  }
}
