import { createHash, randomBytes } from 'node:crypto';
import type { TestBrowser } from './apps/open-test-app.ts';

const COOKIE = 'browser';

/** The hash to which this browser's captchas and codes are bound. Sets the cookie unless the browser has it. */
export function browserHashOf({ cookies }: TestBrowser): Buffer {
  const id = cookies.get(COOKIE) ?? randomBytes(32).toString('base64url');
  cookies.set(COOKIE, id);
  return createHash('sha256').update(id).digest();
}
