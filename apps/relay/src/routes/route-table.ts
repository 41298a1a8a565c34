import { type DeviceRoutes, findCovering, isWildcard } from '@tongtu/contract';
import type { Logger } from 'pino';
import { type DeviceEntry, isSameOwner, type RouteEntry } from './route-entry.ts';
import { routeOfApp } from './app-route.ts';
import { PortRoutes } from './port-routes.ts';
import { WildcardRoutes } from './wildcard-routes.ts';

export type RouteListener = {
  onDeviceChanged: (device: DeviceRoutes, before: DeviceRoutes) => void;
  onDeviceRemoved: (deviceId: number) => void;
};

export type RouteSnapshot = {
  gateKey: string;
  consoleUrl: string;
  devices: readonly DeviceRoutes[];
  /** Kept devices: they stay as they were. */
  keptDeviceIds?: readonly number[];
};

/**
 * Everything needed to decide a request, in memory. A look-up is one Map access, and where wildcards count one for each
 * label.
 */
export class RouteTable {
  readonly portRoutes = new PortRoutes();
  readonly #devices = new Map<number, DeviceEntry>();
  readonly #hosts = new Map<string, RouteEntry>();
  readonly #apps = new Map<number, RouteEntry>();
  readonly #passthroughHosts = new Set<string>();
  /** Of the hosts. */
  readonly #wildcards = new WildcardRoutes();
  /** By public key. */
  readonly #deviceIds = new Map<string, number>();
  /** Devices that run a stock frpc, by its `user`. */
  readonly #frpcDeviceIds = new Map<string, number>();
  readonly #pendingDeviceIds = new Set<number>();
  #gateKey: Buffer | undefined;
  readonly #log: Logger;
  #consoleUrl: string;
  listener: RouteListener | undefined;

  constructor(consoleUrl: string, log: Logger) {
    this.#consoleUrl = consoleUrl;
    this.#log = log;
  }

  /** Undefined until the first snapshot. */
  get gateKey(): Buffer | undefined {
    return this.#gateKey;
  }

  get isReady(): boolean {
    return this.#gateKey !== undefined;
  }

  /** Whether there are kept devices whose routes have not arrived yet. */
  get hasPendingDevices(): boolean {
    return this.#pendingDeviceIds.size > 0;
  }

  get consoleUrl(): string {
    return this.#consoleUrl;
  }

  get consoleHost(): string {
    return new URL(this.#consoleUrl).hostname;
  }

  /** Whether any host has TLS passthrough. */
  get hasPassthrough(): boolean {
    return this.#passthroughHosts.size > 0;
  }

  findRoute(host: string): RouteEntry | undefined {
    const own = this.#hosts.get(host);
    // A device that the relay does not know yet may have the name.
    if (own !== undefined || this.#wildcards.isEmpty || !this.isReady || this.hasPendingDevices) return own;
    return findCovering<RouteEntry>(host, {
      find: (domain) => this.#hosts.get(domain),
      findWildcard: (parent) => this.#wildcards.find(parent),
      isSameOwner: (a, b) => isSameOwner(a.owner.device, b.owner.device),
    });
  }

  /** The target of a cloud app, for the gateway alone. */
  findApp(appId: number): RouteEntry | undefined {
    return this.#apps.get(appId);
  }

  /**
   * The names that lead to devices of the same owner, the device's own first. Looks at every device. Without wildcards: a
   * name below one may be another owner's.
   */
  hostsOfOwner(device: DeviceRoutes): string[] {
    const others = [...this.#devices.values()].filter((entry) => entry.device !== device);
    const owned = others.filter((entry) => isSameOwner(entry.device, device)).map((entry) => entry.device);
    return [device, ...owned].flatMap(({ routes }) =>
      routes.filter(({ host, port }) => port === null && !isWildcard(host)).map(({ host }) => host),
    );
  }

  findDevice(deviceId: number): DeviceRoutes | undefined {
    return this.#devices.get(deviceId)?.device;
  }

  findDeviceByKey(publicKey: string): DeviceRoutes | undefined {
    const deviceId = this.#deviceIds.get(publicKey);
    return deviceId === undefined ? undefined : this.findDevice(deviceId);
  }

  /** A device that runs a stock frpc, by the `user` with which it logs in. */
  findFrpcDevice(user: string): DeviceRoutes | undefined {
    const deviceId = this.#frpcDeviceIds.get(user);
    return deviceId === undefined ? undefined : this.findDevice(deviceId);
  }

  /** Applies a complete snapshot; devices that it does not contain are removed. */
  replaceAll(snapshot: RouteSnapshot): void {
    this.#gateKey = Buffer.from(snapshot.gateKey, 'base64url');
    this.#consoleUrl = snapshot.consoleUrl.replace(/\/$/, '');
    const { devices, keptDeviceIds = [] } = snapshot;
    const shown = new Set([...devices.map((device) => device.deviceId), ...keptDeviceIds]);
    for (const deviceId of [...this.#devices.keys()]) if (!shown.has(deviceId)) this.removeDevice(deviceId);
    for (const device of devices) this.putDevice(device);
    this.#pendingDeviceIds.clear();
    for (const deviceId of keptDeviceIds) if (!this.#devices.has(deviceId)) this.#pendingDeviceIds.add(deviceId);
  }

  putDevice(device: DeviceRoutes): void {
    this.#pendingDeviceIds.delete(device.deviceId);
    const entry = this.#devices.get(device.deviceId) ?? { device };
    const before = entry.device;
    this.#unlink(before);
    entry.device = device;
    this.#devices.set(device.deviceId, entry);
    if (device.publicKey !== undefined) this.#deviceIds.set(device.publicKey, device.deviceId);
    if (device.frpcToken !== undefined) this.#frpcDeviceIds.set(frpcUserOf(device), device.deviceId);
    for (const route of device.routes) this.#link({ route, owner: entry });
    for (const app of device.apps ?? []) this.#apps.set(app.appId, { route: routeOfApp(app), owner: entry });
    if (before !== device) this.#notify(device.deviceId, (listener) => listener.onDeviceChanged(device, before));
  }

  removeDevice(deviceId: number): void {
    this.#pendingDeviceIds.delete(deviceId);
    const entry = this.#devices.get(deviceId);
    if (entry === undefined) return;
    this.#unlink(entry.device);
    this.#devices.delete(deviceId);
    this.#notify(deviceId, (listener) => listener.onDeviceRemoved(deviceId));
  }

  #link(entry: RouteEntry): void {
    const { host, port, tlsPassthrough } = entry.route;
    if (port !== null) return this.portRoutes.put(entry);
    this.#hosts.set(host, entry);
    if (isWildcard(host)) this.#wildcards.put(entry);
    if (tlsPassthrough) this.#passthroughHosts.add(host);
    else this.#passthroughHosts.delete(host);
  }

  /** An error over one device stops neither the events of other devices nor the connection to the server. */
  #notify(deviceId: number, event: (listener: RouteListener) => void): void {
    try {
      if (this.listener !== undefined) event(this.listener);
    } catch (err) {
      this.#log.error({ err, deviceId }, 'a change of routes could not be passed on');
    }
  }

  /** A host, app or key that meanwhile belongs to another device stays with it. */
  #unlink(device: DeviceRoutes): void {
    const { publicKey = '' } = device;
    if (this.#deviceIds.get(publicKey) === device.deviceId) this.#deviceIds.delete(publicKey);
    this.#frpcDeviceIds.delete(frpcUserOf(device));
    for (const { appId } of device.apps ?? [])
      if (this.#apps.get(appId)?.owner.device.deviceId === device.deviceId) this.#apps.delete(appId);
    for (const route of device.routes) {
      this.portRoutes.remove(route, device.deviceId);
      if (this.#hosts.get(route.host)?.owner.device.deviceId !== device.deviceId) continue;
      this.#hosts.delete(route.host);
      this.#passthroughHosts.delete(route.host);
      if (isWildcard(route.host)) this.#wildcards.remove(route.host);
    }
  }
}

function frpcUserOf({ frpcLogin, uid }: DeviceRoutes): string {
  return frpcLogin ?? uid;
}
