import type { DeviceRoutes, Route } from '@tongtu/contract';

export type DeviceEntry = { device: DeviceRoutes };
export type RouteEntry = { route: Route; owner: DeviceEntry };

/** Whether two devices belong to one user. An older server sends no owner. */
export function isSameOwner(a: DeviceRoutes, b: DeviceRoutes): boolean {
  return a.deviceId === b.deviceId || (a.userId !== undefined && a.userId === b.userId);
}
