import { createHash, randomBytes } from 'node:crypto';
import { clearCookie, readCookies, setCookie } from '../../http/cookies.ts';
import { clearCsrfToken, setCsrfToken } from '../../http/csrf.ts';
import type { CallRequest, HttpCall, Session } from '../../http/session.ts';
import type { Db } from '../../db/driver.ts';
import {
  deleteOldestSessions,
  deleteSessions,
  findSessions,
  insertSession,
  moveSession,
  prolongSession,
  type SessionRow,
} from './session-store.ts';

export type SessionDeps = { db: Db; csrfKey: Buffer };

const ID_BYTES = 32;
const sessionCookie = { name: 'sessionid', form: /^[\w-]{43}$/ };
const MAX_USER_AGENT_LENGTH = 512;
const MAX_SESSIONS_PER_USER = 100;

/** Reads sessions from the cookie. The database holds only hashes: a stolen table logs nobody in. */
export function createSessionSource(db: Db): { find: (call: HttpCall) => Promise<Session | undefined> } {
  return {
    async find(call) {
      const ids = readCookies(call.req, sessionCookie);
      const rows = await findSessions(db, ids.map(hashId));
      // Over http others may stand beside ours; the one that is most likely ours is the first that lives.
      for (const id of ids) {
        const idHash = hashId(id);
        const row = rows.find((found) => found.idHash.equals(idHash));
        if (row === undefined) continue;
        if (row.isStale) await prolong(db, id, call);
        return sessionOf(row);
      }
      return undefined;
    },
  };
}

async function prolong(db: Db, id: string, call: HttpCall): Promise<void> {
  await prolongSession(db, hashId(id));
  setCookie(call, sessionCookie.name, id);
}

function sessionOf({ userId, idHash, isConfirmed, ...row }: SessionRow): Session {
  const isStaff = row.isStaff || row.isSuperuser;
  return { userId, idHash, isStaff, isManager: isStaff || row.isPromoter, isConfirmed, scopes: undefined };
}

/**
 * Logs the browser in under a session id it never had before, so an id planted earlier is worth nothing. The session
 * counts as confirmed for ten minutes. To be run in a transaction. NOTE: a login that may need a second step ends in
 * `finishLogin` instead.
 */
export async function startSession(deps: SessionDeps, userId: number, call: HttpCall): Promise<void> {
  const { req } = call;
  const id = createId();
  const userAgent = (req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  await deleteShownSessions(deps.db, req);
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

export async function endSession(db: Db, call: HttpCall): Promise<void> {
  await deleteShownSessions(db, call.req);
  clearCookie(call, sessionCookie.name);
  clearCsrfToken(call);
}

async function deleteShownSessions(db: Db, req: CallRequest): Promise<void> {
  await deleteSessions(db, readCookies(req, sessionCookie).map(hashId));
}

function handOut(deps: SessionDeps, id: string, call: HttpCall): void {
  setCookie(call, sessionCookie.name, id);
  setCsrfToken(deps.csrfKey, hashId(id), call);
}

function createId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

function hashId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
