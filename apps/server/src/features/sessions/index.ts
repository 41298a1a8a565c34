export { assertNotEnded } from './assert-not-ended.ts';
export { endAllSessions, endOtherSessions, logOutOtherSessions } from './end-sessions.ts';
export {
  createSessionSource,
  endSession,
  setSessionCookie,
  rotateSessionId,
  startSession,
  type SessionDeps,
} from './session-cookie.ts';
export { registerSessionRoutes } from './session-routes.ts';
export { deleteExpiredSessions } from './session-end-store.ts';
export { confirmSession, findConfirmedUntil, listSessionIds } from './session-store.ts';
