import { SSO_STATE_COOKIE } from '@tongtu/contract';
import {
  clearCookie,
  clearHostCookie,
  hostCookieName,
  readCookies,
  readNamed,
  type OwnCookie,
} from '../../../http/browser/cookies.ts';
import type { CallRequest, HttpCall } from '../../../http/session.ts';

const stateCookie: OwnCookie = { name: SSO_STATE_COOKIE, form: /^[\w-]{22,64}$/ };
const scriptCookie = { httpOnly: false };

/** The states in this browser's cookies. Over https only the console itself can have set the cookie. */
export function readStates(req: CallRequest): string[] {
  // Behind another proxy that terminates TLS the browser uses https though the server sees http.
  const hostStates = readNamed(req, { ...stateCookie, name: hostCookieName(stateCookie.name) });
  return hostStates.length > 0 ? hostStates : readCookies(req, stateCookie);
}

export function clearStateCookies(call: HttpCall): void {
  clearCookie(call, stateCookie.name, scriptCookie);
  if (call.req.protocol !== 'https') clearHostCookie(call, stateCookie.name, scriptCookie);
}
