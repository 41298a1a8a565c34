import type { DeviceRoutes, Route } from '@tongtu/contract';

export type DeviceEntry = { device: DeviceRoutes };
export type RouteEntry = { route: Route; owner: DeviceEntry };
