export { AttemptRecorder } from './attempt-recorder.ts';
export { noteRefusedToken } from './note-refused-token.ts';
export { registerDeviceAttemptRoutes } from './device-attempt-routes.ts';
export { deleteOldAttempts } from './device-attempt-store.ts';
