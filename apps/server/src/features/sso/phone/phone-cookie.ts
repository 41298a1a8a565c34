import type { CallRequest, HttpCall } from '../../../http/session.ts';
import { readCookies, setCookie } from '../../../http/cookies.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { createSecret, signPhone } from '../sso-secret.ts';

const MAX_AGE_SECONDS = 600;
const phoneCookie = { name: 'sso_phone', form: /^[\w-]{22}$/ };
const confirmedCookie = { name: 'sso_confirmed', form: /^[\w-]{43}$/ };
const SIGNATURE_LENGTH = 32;

/**
 * Marks the phone that scans. Over https it keeps the mark that it has, for a picture that is opened twice; where other
 * hosts could have planted one it gets another each time.
 */
export function ensurePhoneCookie(req: CallRequest, reply: HttpCall['reply']): string {
  const held = req.protocol === 'https' ? readPhoneCookie(req) : undefined;
  const phone = held ?? createSecret();
  setCookie({ req, reply }, phoneCookie.name, phone, { maxAge: MAX_AGE_SECONDS });
  return phone;
}

export function readPhoneCookie(req: CallRequest): string | undefined {
  return readCookies(req, phoneCookie)[0];
}

/** Notes at the phone which scan it has confirmed: the page may have used the login up before somebody goes back. */
export function setConfirmedCookie(call: HttpCall, scanToken: string): void {
  setCookie(call, confirmedCookie.name, confirmedValueOf(scanToken), { maxAge: MAX_AGE_SECONDS });
}

export function hasConfirmedCookie(req: CallRequest, scanToken: string): boolean {
  return readCookies(req, confirmedCookie).includes(confirmedValueOf(scanToken));
}

function confirmedValueOf(scanToken: string): string {
  return hashSecret(scanToken).toString('base64url');
}

/** What WeChat carries to and fro as `state`: which scan, and proof of whose. */
export function oauthStateOf(key: Buffer, scanToken: string, phone: string): string {
  return scanToken + signPhone(key, scanToken, phone);
}

/** The scan of a `state` that this phone was sent off with; undefined for anything else. */
export function scanTokenOfState(key: Buffer, state: string, phone: string): string | undefined {
  const scanToken = state.slice(0, -SIGNATURE_LENGTH);
  return state === oauthStateOf(key, scanToken, phone) ? scanToken : undefined;
}
