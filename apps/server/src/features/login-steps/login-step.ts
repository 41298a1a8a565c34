import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { clearCookie, readCookies, setCookie } from '../../http/cookies.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { hashSecret } from '../../hash-secret.ts';
import { insertLoginStep, type LoginStepCredentials } from './login-step-store.ts';

const stepCookie = { name: 'loginstep', form: /^[\w-]{43}$/ };
const STEP_COOKIE_SECONDS = 300;
const SECRET_BYTES = 32;

/** What stands for a login whose first step is done: the page gets the token, the browser keeps `browserSecret`. */
export type StartedLoginStep = { token: string; browserSecret: string; expiresAt: Date };

/** Lets a login wait for its second step: only the browser that did the first can go on, for five minutes. */
export async function startLoginStep(db: Db, userId: number): Promise<StartedLoginStep> {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  const browserSecret = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = await insertLoginStep(db, {
    tokenHash: hashSecret(token),
    browserHash: hashSecret(browserSecret),
    userId,
  });
  return { token, browserSecret, expiresAt };
}

/** To be called when the step has been committed. */
export function setLoginStepCookie({ browserSecret }: StartedLoginStep, call: HttpCall): void {
  setCookie(call, stepCookie.name, browserSecret, { sameSite: 'strict', maxAge: STEP_COOKIE_SECONDS });
}

export function clearLoginStepCookie(call: HttpCall): void {
  clearCookie(call, stepCookie.name, { sameSite: 'strict' });
}

/** What the caller shows of a login that waits. */
export function readLoginStepCredentials(req: CallRequest, token: string): LoginStepCredentials {
  const shown = readCookies(req, stepCookie);
  return { tokenHash: hashSecret(token), browserHashes: (shown.length > 0 ? shown : ['']).map(hashSecret) };
}
