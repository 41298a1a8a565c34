import type { LiveSession } from '../session/live-session.ts';
import { OpenDownloads } from './open-downloads.ts';

const open = new WeakMap<LiveSession, OpenDownloads>();

/** The downloads of a session, which its calls and its WebSocket share. */
export function downloadsOf(session: LiveSession): OpenDownloads {
  const downloads = open.get(session) ?? new OpenDownloads(session);
  open.set(session, downloads);
  return downloads;
}
