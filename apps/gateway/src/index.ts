export type { LiveSession } from './sessions/live-session.ts';
