import { createHash, randomBytes } from 'node:crypto';
import { cookieOptions } from '../../http/cookie-options.ts';
import { CSRF_COOKIE, setCsrfToken } from '../../http/csrf.ts';
import { SESSION_COOKIE, type HttpCall, type SessionSource } from '../../http/session.ts';
import type { Db } from '../../db/driver.ts';
import { deleteSession, findSession, insertSession, prolongSession } from './session-store.ts';

const ID_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 512;

/** Reads sessions from the cookie. The database holds only hashes: a stolen table logs nobody in. */
export function createSessionSource(db: Db): SessionSource {
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
      const isStaff = row.isStaff || row.isSuperuser;
      return { userId: row.userId, idHash, isStaff, isManager: isStaff || row.isPromoter };
    },
  };
}

/** Logs the browser in under a session id it never had before, so an id planted earlier is worth nothing. */
export async function startSession(deps: { db: Db; csrfKey: Buffer }, userId: number, call: HttpCall): Promise<void> {
  const { req, reply } = call;
  const former = req.cookies[SESSION_COOKIE];
  const id = randomBytes(ID_BYTES).toString('base64url');
  const idHash = hashId(id);
  const userAgent = (req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  await deps.db.transaction().execute(async (tx) => {
    if (former !== undefined) await deleteSession(tx, hashId(former));
    await insertSession(tx, { idHash, userId, ip: req.ip, userAgent });
  });
  reply.setCookie(SESSION_COOKIE, id, cookieOptions(req));
  setCsrfToken(deps.csrfKey, idHash, call);
}

export async function endSession(db: Db, { req, reply }: HttpCall): Promise<void> {
  const id = req.cookies[SESSION_COOKIE];
  if (id !== undefined) await deleteSession(db, hashId(id));
  const { maxAge: _lifetime, ...options } = cookieOptions(req);
  reply.clearCookie(SESSION_COOKIE, options);
  reply.clearCookie(CSRF_COOKIE, { ...options, httpOnly: false });
}

function hashId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
