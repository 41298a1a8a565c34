import { randomBytes } from 'node:crypto';
import { clearCookie, readCookies, setCookie } from '../../http/cookies.ts';
import { clearCsrfToken, setCsrfToken } from '../../http/csrf.ts';
import { type CallRequest, flagsOf, type HttpCall, type Session } from '../../http/session.ts';
import { userAgentOf } from '../../http/user-agent.ts';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { endOldestSessions, logSessionsOut, replaceSessions } from './end-sessions.ts';
import { findSessions, insertSession, moveSession, prolongSession, type SessionRow } from './session-store.ts';

export type SessionDeps = { db: Db; csrfKey: Buffer };

const ID_BYTES = 32;
const sessionCookie = { name: 'sessionid', form: /^[\w-]{43}$/ };
const MAX_SESSIONS_PER_USER = 100;

/** Reads sessions from the cookie. The database holds only hashes: a stolen table logs nobody in. */
export function createSessionSource(db: Db): { find: (call: HttpCall) => Promise<Session | undefined> } {
  return {
    async find(call) {
      const shown = await findShownSession(db, call.req);
      if (shown?.row.isStale === true) await prolong(db, shown.id, call);
      return shown && sessionOf(shown.row);
    },
  };
}

/** Over http others may stand beside ours; the one that is most likely ours is the first that lives. */
async function findShownSession(db: Db, req: CallRequest): Promise<{ id: string; row: SessionRow } | undefined> {
  const ids = readCookies(req, sessionCookie);
  const rows = await findSessions(db, ids.map(hashSecret));
  for (const id of ids) {
    const idHash = hashSecret(id);
    const row = rows.find((found) => found.idHash.equals(idHash));
    if (row) return { id, row };
  }
  return undefined;
}

async function prolong(db: Db, id: string, call: HttpCall): Promise<void> {
  await prolongSession(db, hashSecret(id));
  setCookie(call, sessionCookie.name, id);
}

function sessionOf({ id: sessionId, userId, idHash, isConfirmed, ...row }: SessionRow): Session {
  return { userId, sessionId, idHash, flags: flagsOf(row), isConfirmed, scopes: undefined };
}

/**
 * Logs the browser in under a session id it never had before, so an id planted earlier is worth nothing. The session
 * counts as confirmed for ten minutes unless `isConfirmed` is false. To be run in a transaction; returns the id, for `handSessionOut` once that has been
 * committed. NOTE: a login that may need a second step ends in `finishLogin` instead.
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
  await replaceSessions(db, shownIdHashes(req), { id: session.id, userId });
  await endOldestSessions(db, { userId, kept: MAX_SESSIONS_PER_USER });
  return id;
}

/** Before the commit it would take the place of a session that lives, for one that may never be. */
export function handSessionOut({ csrfKey }: Pick<SessionDeps, 'csrfKey'>, id: string, call: HttpCall): void {
  setCookie(call, sessionCookie.name, id);
  setCsrfToken(csrfKey, hashSecret(id), call);
}

/** Gives the session of this call another id, after which the one before is worth nothing: its rights have changed. */
export async function renewSession(deps: SessionDeps, session: Session, call: HttpCall): Promise<void> {
  const id = createId();
  // One that was ended meanwhile stays ended.
  if (await moveSession(deps.db, session.idHash, hashSecret(id))) handSessionOut(deps, id, call);
}

/**
 * Logs the browser out. Where `shownUserId` is given, only if the session is that account's: somebody else may have logged
 * in in another tab since.
 */
export async function endSession(db: Db, call: HttpCall, shownUserId?: string): Promise<void> {
  if (shownUserId !== undefined) {
    const shown = await findShownSession(db, call.req);
    if (shown && shownUserId !== String(shown.row.userId)) return;
  }
  await db.transaction().execute(async (tx) => await logSessionsOut(tx, shownIdHashes(call.req)));
  clearCookie(call, sessionCookie.name);
  clearCsrfToken(call);
}

function shownIdHashes(req: CallRequest): Buffer[] {
  return readCookies(req, sessionCookie).map(hashSecret);
}

function createId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}
