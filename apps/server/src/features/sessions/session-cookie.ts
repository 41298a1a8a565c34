import { createHash, randomBytes } from 'node:crypto';
import { cookieOptions } from '../../http/cookie-options.ts';
import { CSRF_COOKIE, setCsrfToken } from '../../http/csrf.ts';
import { SESSION_COOKIE, type HttpCall, type Session } from '../../http/session.ts';
import type { Db } from '../../db/driver.ts';
import {
  deleteOldestSessions,
  deleteSession,
  findSession,
  insertSession,
  moveSession,
  prolongSession,
} from './session-store.ts';

export type SessionDeps = { db: Db; csrfKey: Buffer };

const ID_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 512;
const MAX_SESSIONS_PER_USER = 100;

/** Reads sessions from the cookie. The database holds only hashes: a stolen table logs nobody in. */
export function createSessionSource(db: Db): { find: (call: HttpCall) => Promise<Session | undefined> } {
  return {
    async find({ req, reply }) {
      const id = req.cookies[SESSION_COOKIE];
      if (id === undefined) return undefined;
      const idHash = hashId(id);
      const row = await findSession(db, idHash);
      if (!row) return undefined;
      if (row.isStale) {
        await prolongSession(db, idHash);
        reply.setCookie(SESSION_COOKIE, id, cookieOptions(req));
      }
      const { userId, isConfirmed } = row;
      const isStaff = row.isStaff || row.isSuperuser;
      return { userId, idHash, isStaff, isManager: isStaff || row.isPromoter, isConfirmed, scopes: undefined };
    },
  };
}

/**
 * Logs the browser in under a session id it never had before, so an id planted earlier is worth nothing. The session
 * counts as confirmed for ten minutes. To be run in a transaction. NOTE: a login that may need a second step ends in
 * `finishLogin` instead.
 */
export async function startSession(deps: SessionDeps, userId: number, call: HttpCall): Promise<void> {
  const { req } = call;
  const former = req.cookies[SESSION_COOKIE];
  const id = createId();
  const userAgent = (req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  if (former !== undefined) await deleteSession(deps.db, hashId(former));
  await insertSession(deps.db, { idHash: hashId(id), userId, ip: req.ip, userAgent });
  await deleteOldestSessions(deps.db, { userId, kept: MAX_SESSIONS_PER_USER });
  handOut(deps, id, call);
}

/** Gives the session of this call another id, after which the one before is worth nothing: its rights have changed. */
export async function renewSession(deps: SessionDeps, session: Session, call: HttpCall): Promise<void> {
  const id = createId();
  // One that was ended meanwhile stays ended.
  if (await moveSession(deps.db, session.idHash, hashId(id))) handOut(deps, id, call);
}

export async function endSession(db: Db, { req, reply }: HttpCall): Promise<void> {
  const id = req.cookies[SESSION_COOKIE];
  if (id !== undefined) await deleteSession(db, hashId(id));
  const { maxAge: _lifetime, ...options } = cookieOptions(req);
  reply.clearCookie(SESSION_COOKIE, options);
  reply.clearCookie(CSRF_COOKIE, { ...options, httpOnly: false });
}

function handOut(deps: SessionDeps, id: string, call: HttpCall): void {
  call.reply.setCookie(SESSION_COOKIE, id, cookieOptions(call.req));
  setCsrfToken(deps.csrfKey, hashId(id), call);
}

function createId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

function hashId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
