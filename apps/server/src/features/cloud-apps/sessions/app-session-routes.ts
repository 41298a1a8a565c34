import { randomBytes } from 'node:crypto';
import {
  APP_HANDLE_BYTES,
  type AppCookie,
  appCookieNames,
  appCookieValue,
  appPath,
  type CloudApp,
  type CloudAppSession,
} from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../db/driver.ts';
import { userAgentOf } from '../../../http/browser/user-agent.ts';
import { mount } from '../../../http/mount.ts';
import { pageLinks } from '../../../http/page-links.ts';
import type { HttpCall, Session } from '../../../http/session.ts';
import type { CloudAppRow } from '../cloud-app-store.ts';
import { type AppSessionRow, countAppSessions, listAppSessions } from './app-session-store.ts';
import { endSessionByUser } from './end-app-sessions.ts';
import { openAppSession } from './open-app-session.ts';

export type AppSessionRoutesDeps = { db: Db; cloudAppReply: (row: CloudAppRow, userId: number) => CloudApp };

const listPath = '/api/user/cloud_app_sessions/';

export function registerAppSessionRoutes(app: FastifyInstance, { db, cloudAppReply }: AppSessionRoutesDeps): void {
  mount(app, 'POST /api/user/cloud_apps/{id}/sessions/', { login: 'required' }, async (call) => {
    const { params, query, session, req, reply } = call;
    const { hasSecondFactor } = app.callGuard;
    const caller = { session, ip: req.ip, userAgent: userAgentOf(req) };
    const opened = await openAppSession({ db, hasSecondFactor }, caller, params.id, {
      resume: query.resume,
      isFresh: query.fresh !== undefined,
    });
    const handle = randomBytes(APP_HANDLE_BYTES).toString('base64url');
    setAppCookie({ req, reply }, { handle, sessionId: opened.id, token: opened.token });
    const reopened = cloudAppReply(opened.app, session.userId);
    return { id: opened.id, path: appPath(handle), is_resumed: opened.isResumed, app: reopened };
  });

  mount(app, 'GET /api/user/cloud_app_sessions/', { login: 'required' }, async ({ query, session }) => {
    const { userId } = session;
    const { open, ...page } = query;
    const filter = { userId, isOpen: open !== undefined };
    const [count, rows] = await Promise.all([countAppSessions(db, filter), listAppSessions(db, filter, page)]);
    return { count, ...pageLinks(listPath, query, count), results: rows.map((row) => sessionReply(row, session)) };
  });

  mount(app, 'DELETE /api/user/cloud_app_sessions/{id}/', { login: 'required' }, async ({ params, session }) => {
    await endSessionByUser(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

/** For the gateway alone. It ends with the browser; the session itself ends much sooner. */
function setAppCookie({ req, reply }: HttpCall, cookie: AppCookie): void {
  const { protocol } = req;
  const secure = protocol === 'https';
  const path = appPath(cookie.handle);
  reply.setCookie(appCookieNames[protocol], appCookieValue(cookie), {
    path,
    httpOnly: true,
    sameSite: 'strict',
    secure,
  });
}

function sessionReply(row: AppSessionRow, { userId, sessionId }: Session): CloudAppSession {
  const isKept = row.endedAt === null && row.keptUntil !== null;
  return {
    id: row.id,
    app: row.appId,
    app_name: row.appName,
    kind: row.kind,
    router_name: row.deviceName,
    account: row.who,
    is_own: row.userId === userId,
    ip: row.ip,
    user_agent: row.userAgent,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    kept_until: isKept ? (row.keptUntil?.toISOString() ?? null) : null,
    can_be_resumed: isKept && row.userId === userId && row.loginSessionId === sessionId,
    end_reason: row.endReason,
    bytes_in: row.bytesIn,
    bytes_out: row.bytesOut,
  };
}
