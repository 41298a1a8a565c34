export type { ProbeTarget } from './connection-check/check-connection.ts';
export type { TrialTarget } from './connection-check/visits/check-visits.ts';
export { domainStateOf, readHost } from './describe-domain.ts';
export { domainReply, planReply, registerDeviceRoutes, shownState } from './device-routes.ts';
export { deviceStateOf, type StateFacts } from './presence/device-state.ts';
export { changePresence, withPresenceLocked } from './presence/change-presence.ts';
export { deleteOldConnections, listConnections } from './presence/connection-store.ts';
export { connectedRelays, relayIsAlive, effectivePresence } from './presence/device-presence-store.ts';
export {
  deleteDevice as deleteOwnDevice,
  findDevice,
  findDeviceByUid,
  isDeviceEnabled,
  listAllDevices,
  listDevicesOfUser,
  selectDevice,
  type DeviceRow,
} from './device-store.ts';
export { addNamedDevice, enrolDevice, type Enrolment } from './enrol-device.ts';
export { getOwnDevice } from './find-own-device.ts';
export { resolveName } from './connection-check/resolve-name.ts';
