import type { CallRequest, HttpCall } from '../../../http/session.ts';
import { readCookies, setCookie, type OwnCookie } from '../../../http/browser/cookies.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { createSecret, signPhone } from '../sso-secret.ts';

const MAX_AGE_SECONDS = 600;
const phoneCookie: OwnCookie = { name: 'sso_phone', form: /^[\w-]{22}$/ };
const confirmedCookie: OwnCookie = { name: 'sso_confirmed', form: /^[\w-]{43}$/ };
const SIGNATURE_LENGTH = 32;

/**
 * Identifies the phone by a cookie. Over https it reuses the cookie, so that the same QR code can be opened twice. Over
 * http it sets a new one each time, because another host could have planted the old one.
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

/** Stores in the phone's browser which scan it confirmed, because the login may be deleted before the phone goes back. */
export function setConfirmedCookie(call: HttpCall, scanToken: string): void {
  setCookie(call, confirmedCookie.name, confirmedValueOf(scanToken), { maxAge: MAX_AGE_SECONDS });
}

export function hasConfirmedCookie(req: CallRequest, scanToken: string): boolean {
  return readCookies(req, confirmedCookie).includes(confirmedValueOf(scanToken));
}

function confirmedValueOf(scanToken: string): string {
  return hashSecret(scanToken).toString('base64url');
}

/** WeChat's `state` parameter: the scan token, and a signature that binds it to the phone. */
export function oauthStateOf(key: Buffer, scanToken: string, phone: string): string {
  return scanToken + signPhone(key, scanToken, phone);
}

/** The scan token of a `state` that was made for this phone; undefined for any other value. */
export function scanTokenOfState(key: Buffer, state: string, phone: string): string | undefined {
  const scanToken = state.slice(0, -SIGNATURE_LENGTH);
  return state === oauthStateOf(key, scanToken, phone) ? scanToken : undefined;
}
