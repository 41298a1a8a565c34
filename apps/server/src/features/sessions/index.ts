export { createSessionSource, endSession, startSession } from './session-cookie.ts';
export { deleteAllSessions, deleteExpiredSessions, deleteOtherSessions } from './session-store.ts';
