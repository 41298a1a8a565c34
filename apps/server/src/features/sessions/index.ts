export { describeDevice } from './describe-device.ts';
export { createSessionSource, endSession, renewSession, startSession, type SessionDeps } from './session-cookie.ts';
export { registerSessionRoutes } from './session-routes.ts';
export {
  confirmSession,
  deleteAllSessions,
  deleteExpiredSessions,
  deleteOtherSessions,
  findConfirmedUntil,
} from './session-store.ts';
