import { createHash, randomBytes } from 'node:crypto';
import type { TestBrowser } from './open-test-app.ts';

const COOKIE = 'browser';

/** What captchas and codes of this browser are bound to; gives it the cookie unless it has one. */
export function browserHashOf({ cookies }: TestBrowser): Buffer {
  const id = cookies.get(COOKIE) ?? randomBytes(32).toString('base64url');
  cookies.set(COOKIE, id);
  return createHash('sha256').update(id).digest();
}
