import type { DeviceRoutes } from '@tongtu/contract';

/** Whether two devices are of one user. An older server does not say whose they are. */
export function isSameOwner(a: DeviceRoutes, b: DeviceRoutes): boolean {
  return a.deviceId === b.deviceId || (a.userId !== undefined && a.userId === b.userId);
}
