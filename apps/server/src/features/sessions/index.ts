export { endAllSessions, endOtherSessions, logOthersOut } from './end-sessions.ts';
export {
  createSessionSource,
  endSession,
  handSessionOut,
  renewSession,
  startSession,
  type SessionDeps,
} from './session-cookie.ts';
export { registerSessionRoutes } from './session-routes.ts';
export { deleteExpiredSessions } from './session-end-store.ts';
export { confirmSession, findConfirmedUntil, listSessionIds } from './session-store.ts';
