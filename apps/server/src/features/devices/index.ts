export type { CheckConnectionDeps, ProbeTarget } from './check-connection.ts';
export { registerDeviceRoutes, type DeviceRoutesDeps } from './device-routes.ts';
export { deviceStateOf, RELAY_TRUST_SECONDS, relayIsAlive } from './device-state.ts';
export { findDevice, findDeviceByUid, type DeviceRow } from './device-store.ts';
export { enrolDevice, type EnrolDeviceDeps, type Enrolment } from './enrol-device.ts';
export { readHost } from './read-host.ts';
export { resolveName } from './resolve-name.ts';
