import { createHash, randomBytes } from 'node:crypto';
import { cookieOptions } from './cookie-options.ts';
import type { HttpCall } from './session.ts';

const BROWSER_COOKIE = 'browser';
const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** What captchas and one-time codes are bound to: a cookie of its own, because a login changes the session's. */
export function findBrowser(req: HttpCall['req']): Buffer | undefined {
  const id = req.cookies[BROWSER_COOKIE];
  return id !== undefined && ID.test(id) ? hashId(id) : undefined;
}

/** Gives the browser its cookie unless it has one. */
export function ensureBrowser({ req, reply }: HttpCall): Buffer {
  const known = findBrowser(req);
  if (known) return known;
  const id = randomBytes(ID_BYTES).toString('base64url');
  reply.setCookie(BROWSER_COOKIE, id, cookieOptions(req));
  return hashId(id);
}

function hashId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
