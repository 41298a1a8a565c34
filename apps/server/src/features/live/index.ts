export {
  announceAccessChange,
  announceDeviceChange,
  announceDeviceList,
  announceMembers,
  announceToEverybody,
  announceVerifications,
} from './announce.ts';
export { registerLiveRoutes } from './live-routes.ts';
export { LiveStreams } from './live-streams.ts';
