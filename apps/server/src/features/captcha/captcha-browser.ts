import { createHash, randomBytes } from 'node:crypto';
import { cookieOptions } from '../../http/cookie-options.ts';
import type { HttpCall } from '../../http/session.ts';

const BROWSER_COOKIE = 'captcha_browser';
const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** What challenges and tickets are bound to: a cookie of their own, because a login changes the session's. */
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
