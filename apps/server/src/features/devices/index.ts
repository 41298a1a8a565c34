export type { ProbeTarget } from './check-connection.ts';
export { domainStateOf } from './describe-domain.ts';
export { domainReply, registerDeviceRoutes } from './device-routes.ts';
export { deviceStateOf, type StateFacts } from './device-state.ts';
export { lockPresence, readShownPresence, speakingPresence, relayIsAlive } from './device-presence-store.ts';
export { findDevice, findDeviceByUid, type DeviceRow } from './device-store.ts';
export { enrolDevice, type Enrolment } from './enrol-device.ts';
export { readHost } from './read-host.ts';
export { resolveName } from './resolve-name.ts';
