export {
  announceAccessChange,
  announceDeviceChange,
  announceDeviceList,
  announceToEverybody,
  announceVerifications,
} from './announce.ts';
export { registerLiveRoutes } from './live-routes.ts';
export { LiveStreams } from './live-streams.ts';
export { readNotice } from './read-notice.ts';
