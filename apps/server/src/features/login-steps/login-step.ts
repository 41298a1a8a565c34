import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { clearCookie, readCookies, setCookie, type OwnCookie } from '../../http/browser/cookies.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { hashSecret } from '../../hash-secret.ts';
import { insertLoginStep, type LoginStepCredentials } from './login-step-store.ts';

const stepCookie: OwnCookie = { name: 'loginstep', form: /^[\w-]{43}$/ };
const STEP_COOKIE_SECONDS = 300;
const SECRET_BYTES = 32;

/** A login that has passed its first step. The console gets the token, the browser the cookie `browserSecret`. */
export type StartedLoginStep = { token: string; browserSecret: string; expiresAt: Date };

/** Starts the wait for the second step. Only the browser of the first step can continue, for five minutes. */
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

/** Call it after the step is committed. */
export function setLoginStepCookie({ browserSecret }: StartedLoginStep, call: HttpCall): void {
  setCookie(call, stepCookie.name, browserSecret, { sameSite: 'strict', maxAge: STEP_COOKIE_SECONDS });
}

export function clearLoginStepCookie(call: HttpCall): void {
  clearCookie(call, stepCookie.name, { sameSite: 'strict' });
}

/** Reads what the caller sends for a pending login. */
export function readLoginStepCredentials(req: CallRequest, token: string): LoginStepCredentials {
  const secrets = readCookies(req, stepCookie);
  return { tokenHash: hashSecret(token), browserHashes: (secrets.length > 0 ? secrets : ['']).map(hashSecret) };
}
