import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { announceAppSessions } from '../../live/index.ts';
import { endAppSession, findAppSessionForUpdate, markAbandonedEnded, type SessionUsers } from './app-session-store.ts';

/**
 * Ends a session that the user opened or that is on the user's device; its gateway cuts it. One that has ended stays as it
 * is. Throws cloud-app.session-not-found.
 */
export async function endSessionByUser(db: Db, session: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await findAppSessionForUpdate(tx, session);
    if (!found) throw new AppError('cloud-app.session-not-found');
    if (found.endedAt !== null) return;
    await endAppSession(tx, { id: session.id, reason: 'ended-by-user' });
    await announceAppSessions(tx, usersOf([found]));
  });
}

/** Ends the sessions whose page was closed before a gateway had it, or whose gateway has died. */
export async function endAbandonedSessions(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await announceAppSessions(tx, usersOf(await markAbandonedEnded(tx)));
  });
}

/** The users whose consoles list these sessions. */
export function usersOf(sessions: readonly SessionUsers[]): number[] {
  return sessions.flatMap(({ ownerId, userId }) => (userId === null ? [ownerId] : [ownerId, userId]));
}
