import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { cookieOptions } from '../../http/cookie-options.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { insertLoginStep } from './login-step-store.ts';

const STEP_COOKIE = 'loginstep';
const STEP_COOKIE_SECONDS = 300;
const SECRET_BYTES = 32;

/** What stands for a login whose first step is done: only the browser that did it can go on, for five minutes. */
export async function startLoginStep(
  db: Db,
  userId: number,
  { req, reply }: HttpCall,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  const browser = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = await insertLoginStep(db, { tokenHash: hash(token), browserHash: hash(browser), userId });
  reply.setCookie(STEP_COOKIE, browser, { ...cookieOptions(req), sameSite: 'strict', maxAge: STEP_COOKIE_SECONDS });
  return { token, expiresAt };
}

export function endLoginStep({ req, reply }: HttpCall): void {
  const { maxAge: _lifetime, ...options } = cookieOptions(req);
  reply.clearCookie(STEP_COOKIE, { ...options, sameSite: 'strict' });
}

/** What the caller shows of a login that waits. */
export function loginStepProof(req: CallRequest, token: string): { tokenHash: Buffer; browserHash: Buffer } {
  return { tokenHash: hash(token), browserHash: hash(req.cookies[STEP_COOKIE] ?? '') };
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
