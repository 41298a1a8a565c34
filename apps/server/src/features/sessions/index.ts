export { createSessionSource, endSession, renewSession, startSession, type SessionDeps } from './session-cookie.ts';
export {
  confirmSession,
  deleteAllSessions,
  deleteExpiredSessions,
  deleteOtherSessions,
  findConfirmedUntil,
} from './session-store.ts';
