import { randomBytes } from 'node:crypto';
import { clearCookie, readCookies, setCookie, type OwnCookie } from '../../http/browser/cookies.ts';
import { clearCsrfToken, setCsrfToken } from '../../http/browser/csrf.ts';
import { type CallRequest, flagsOf, type HttpCall, type Session } from '../../http/session.ts';
import { userAgentOf } from '../../http/browser/user-agent.ts';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { endOldestSessions, logOutSessions, replaceSessions } from './end-sessions.ts';
import { findSessions, insertSession, updateSessionId, extendSession, type SessionRow } from './session-store.ts';

export type SessionDeps = { db: Db; csrfKey: Buffer };

const ID_BYTES = 32;
const sessionCookie: OwnCookie = { name: 'sessionid', form: /^[\w-]{43}$/ };
const MAX_SESSIONS_PER_USER = 100;

/** Reads the session from the cookie. The database stores hashes only, so a stolen table logs nobody in. */
export function createSessionSource(db: Db): { find: (call: HttpCall) => Promise<Session | undefined> } {
  return {
    async find(call) {
      const found = await findCookieSession(db, call.req);
      if (found?.row.needsExtension === true) await extend(db, found.id, call);
      return found && sessionOf(found.row);
    },
  };
}

/** Over http other hosts can add cookies of this name. The first one with a valid session is most likely ours. */
async function findCookieSession(db: Db, req: CallRequest): Promise<{ id: string; row: SessionRow } | undefined> {
  const ids = readCookies(req, sessionCookie);
  const rows = await findSessions(db, ids.map(hashSecret));
  for (const id of ids) {
    const idHash = hashSecret(id);
    const row = rows.find((found) => found.idHash.equals(idHash));
    if (row) return { id, row };
  }
  return undefined;
}

async function extend(db: Db, id: string, call: HttpCall): Promise<void> {
  await extendSession(db, hashSecret(id));
  setCookie(call, sessionCookie.name, id);
}

function sessionOf({ id: sessionId, userId, idHash, isConfirmed, ...row }: SessionRow): Session {
  return { userId, sessionId, idHash, flags: flagsOf(row), isConfirmed, scopes: undefined };
}

/**
 * Creates a session with a new id, which prevents session fixation. The session is confirmed for ten minutes
 * unless `isConfirmed` is false. Runs in a transaction; call `setSessionCookie` with the returned id after the commit. NOTE: a login that may need a second step
 * ends in `finishLogin` instead.
 */
export async function startSession(
  db: Db,
  userId: number,
  req: CallRequest,
  { isConfirmed = true }: { isConfirmed?: boolean } = {},
): Promise<string> {
  const id = createId();
  const facts = { userId, ip: req.ip, userAgent: userAgentOf(req), isConfirmed };
  const session = await insertSession(db, { idHash: hashSecret(id), ...facts });
  await replaceSessions(db, cookieIdHashes(req), { id: session.id, userId });
  await endOldestSessions(db, { userId, kept: MAX_SESSIONS_PER_USER });
  return id;
}

/** Sends the cookies. Call it after the commit, because a rollback would leave the browser without a valid session. */
export function setSessionCookie({ csrfKey }: Pick<SessionDeps, 'csrfKey'>, id: string, call: HttpCall): void {
  setCookie(call, sessionCookie.name, id);
  setCsrfToken(csrfKey, hashSecret(id), call);
}

/** Gives the session of this call a new id, because its rights have changed. The old id becomes invalid. */
export async function rotateSessionId(deps: SessionDeps, session: Session, call: HttpCall): Promise<void> {
  const id = createId();
  // A session that another call has just ended stays ended.
  if (await updateSessionId(deps.db, session.idHash, hashSecret(id))) setSessionCookie(deps, id, call);
}

/**
 * Logs the browser out. With `expectedUserId`, only if the session belongs to that account, because another user may have
 * logged in in another tab since then.
 */
export async function endSession(db: Db, call: HttpCall, expectedUserId?: string): Promise<void> {
  if (expectedUserId !== undefined) {
    const found = await findCookieSession(db, call.req);
    if (found && expectedUserId !== String(found.row.userId)) return;
  }
  await db.transaction().execute(async (tx) => await logOutSessions(tx, cookieIdHashes(call.req)));
  clearCookie(call, sessionCookie.name);
  clearCsrfToken(call);
}

function cookieIdHashes(req: CallRequest): Buffer[] {
  return readCookies(req, sessionCookie).map(hashSecret);
}

function createId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}
