import type { CallRequest, HttpCall } from '../../http/session.ts';
import { cookieOptions } from '../../http/cookie-options.ts';
import { createSecret, phoneProofOf } from './sso-secret.ts';

const MAX_AGE_SECONDS = 600;
const PROOF_LENGTH = 32;

/**
 * Marks the phone that scans. Over https it keeps the mark that it has, for a picture that is opened twice; where other
 * hosts could have planted one it gets another each time.
 */
export function markPhone(req: CallRequest, reply: HttpCall['reply']): string {
  const held = req.protocol === 'https' ? readPhone(req) : undefined;
  const phone = held ?? createSecret();
  reply.setCookie(cookieName(req), phone, { ...cookieOptions(req), maxAge: MAX_AGE_SECONDS });
  return phone;
}

export function readPhone(req: CallRequest): string | undefined {
  return req.cookies[cookieName(req)];
}

/** What WeChat carries to and fro as `state`: which scan, and proof of whose. */
export function oauthStateOf(key: Buffer, scanToken: string, phone: string): string {
  return scanToken + phoneProofOf(key, scanToken, phone);
}

/** The scan of a `state` that this phone was sent off with; undefined for anything else. */
export function scanTokenOfState(key: Buffer, state: string, phone: string): string | undefined {
  const scanToken = state.slice(0, -PROOF_LENGTH);
  return state === oauthStateOf(key, scanToken, phone) ? scanToken : undefined;
}

// A mapping's host lies beside the console's and may set cookies for both; it cannot set one of this prefix.
function cookieName(req: CallRequest): string {
  return req.protocol === 'https' ? '__Host-sso_phone' : 'sso_phone';
}
