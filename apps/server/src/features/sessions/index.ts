export { createSessionSource, endSession, startSession } from './session-cookie.ts';
export { deleteExpiredSessions, deleteOtherSessions } from './session-store.ts';
