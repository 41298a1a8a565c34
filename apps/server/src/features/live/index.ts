export {
  announceAccessChange,
  announceAppSessions,
  announceCloudAppChange,
  announceCloudApps,
  announceDeletedDevices,
  announceDeviceChange,
  announceDeviceChanges,
  announceDeviceList,
  announceMembers,
  announceMemberships,
  announceOrders,
  announcePlanChange,
  announceProfile,
  announceToEverybody,
  announceVerifications,
  type DeviceChange,
} from './announce.ts';
export { registerLiveRoutes } from './live-routes.ts';
export { LiveStreams } from './live-streams.ts';
