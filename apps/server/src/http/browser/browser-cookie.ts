import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../hash-secret.ts';
import { readCookies, setCookie, type OwnCookie } from './cookies.ts';
import type { HttpCall } from '../session.ts';

const ID_BYTES = 32;
const browserCookie: OwnCookie = { name: 'browser', form: /^[\w-]{43}$/ };

/** Captchas and one-time codes are bound to this hash. Its cookie is separate from the session's, which a login changes. */
export function findBrowser(req: HttpCall['req']): Buffer | undefined {
  const [id] = readCookies(req, browserCookie);
  return id === undefined ? undefined : hashSecret(id);
}

/** Sets the browser's cookie unless it has one. */
export function ensureBrowser(call: HttpCall): Buffer {
  const known = findBrowser(call.req);
  if (known) return known;
  const id = randomBytes(ID_BYTES).toString('base64url');
  setCookie(call, browserCookie.name, id);
  return hashSecret(id);
}
