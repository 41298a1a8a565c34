import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { clearCookie, readCookies, setCookie } from '../../http/cookies.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { insertLoginStep, type LoginStepProof } from './login-step-store.ts';

const stepCookie = { name: 'loginstep', form: /^[\w-]{43}$/ };
const STEP_COOKIE_SECONDS = 300;
const SECRET_BYTES = 32;

/** What stands for a login whose first step is done: only the browser that did it can go on, for five minutes. */
export async function startLoginStep(
  db: Db,
  userId: number,
  call: HttpCall,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  const browser = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = await insertLoginStep(db, { tokenHash: hash(token), browserHash: hash(browser), userId });
  setCookie(call, stepCookie.name, browser, { sameSite: 'strict', maxAge: STEP_COOKIE_SECONDS });
  return { token, expiresAt };
}

export function endLoginStep(call: HttpCall): void {
  clearCookie(call, stepCookie.name, { sameSite: 'strict' });
}

/** What the caller shows of a login that waits. */
export function loginStepProof(req: CallRequest, token: string): LoginStepProof {
  const shown = readCookies(req, stepCookie);
  return { tokenHash: hash(token), browserHashes: (shown.length > 0 ? shown : ['']).map(hash) };
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
