import { AppError, type LoginSession } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { mount } from '../../http/mount.ts';
import type { Session } from '../../http/session.ts';
import { placeOf } from '../places/index.ts';
import { endOtherSessions, endSessionById } from './end-sessions.ts';
import { endSession } from './session-cookie.ts';
import { listSessions, type ListedSession } from './session-store.ts';

/** Lists and ends the caller's sessions. */
export function registerSessionRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/sessions/', { login: 'required' }, async ({ session }) =>
    (await listSessions(db, session.userId)).map((row) => replyOf(row, session)),
  );
  mount(app, 'DELETE /api/user/sessions/', { login: 'required' }, async ({ session }) => {
    await db.transaction().execute(async (tx) => await endOtherSessions(tx, session.userId, session.idHash));
    return { ok: true as const };
  });
  mount(app, 'DELETE /api/user/sessions/{id}/', { login: 'required' }, async ({ params, session, req, reply }) => {
    const chosen = { id: params.id, userId: session.userId };
    const ended = await db.transaction().execute(async (tx) => await endSessionById(tx, chosen));
    if (!ended) throw new AppError('session.not-found');
    if (ended.idHash.equals(session.idHash)) await endSession(db, { req, reply });
    return { ok: true as const };
  });
}

function replyOf(row: ListedSession, current: Session): LoginSession {
  return {
    id: row.id,
    device: describeDevice(row.userAgent),
    ip: row.ip,
    place: placeOf(row.ip),
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    is_current: row.idHash.equals(current.idHash),
  };
}
