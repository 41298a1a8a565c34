export { announceDeviceChange, announceDeviceList, announceToEverybody } from './announce.ts';
export { registerLiveRoutes } from './live-routes.ts';
export { LiveStreams } from './live-streams.ts';
export { readNotice } from './read-notice.ts';
