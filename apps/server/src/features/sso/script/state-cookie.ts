import { SSO_STATE_COOKIE } from '@tongtu/contract';
import { clearCookie, clearHostCookie, hostCookieName, readCookies, readNamed } from '../../../http/cookies.ts';
import type { CallRequest, HttpCall } from '../../../http/session.ts';

const stateCookie = { name: SSO_STATE_COOKIE, form: /^[\w-]{22,64}$/ };
const scriptCookie = { httpOnly: false };

/** The states that the page of this browser may have made. Over https only the page itself could have named one. */
export function readStates(req: CallRequest): string[] {
  // Behind another proxy that ends TLS the page has come by https though we see http.
  const kept = readNamed(req, { ...stateCookie, name: hostCookieName(stateCookie.name) });
  return kept.length > 0 ? kept : readCookies(req, stateCookie);
}

export function clearStateCookies(call: HttpCall): void {
  clearCookie(call, stateCookie.name, scriptCookie);
  if (call.req.protocol !== 'https') clearHostCookie(call, stateCookie.name, scriptCookie);
}
