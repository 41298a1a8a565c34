export type { ProbeTarget } from './check-connection.ts';
export { registerDeviceRoutes } from './device-routes.ts';
export { deviceStateOf, type StateFacts } from './device-state.ts';
export { lockPresence, readShownPresence, speakingPresence } from './device-presence-store.ts';
export { findDevice, findDeviceByUid, type DeviceRow } from './device-store.ts';
export { enrolDevice, type Enrolment } from './enrol-device.ts';
export { readHost } from './read-host.ts';
export { relayIsAlive } from './relay-liveness-store.ts';
export { resolveName } from './resolve-name.ts';
