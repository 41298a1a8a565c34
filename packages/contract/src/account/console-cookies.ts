import { appCookieNames } from '../cloud-apps/app-cookie.ts';
import { SSO_STATE_COOKIE } from './sso.ts';

/**
 * The console's cookies over http, and how long the secret values are at least. Browsers send them to each port of the
 * host, so relays mask them there. Over https they have the prefix `__Host-` or `__Secure-` and are Secure.
 */
export const consoleCookies = {
  sessionid: 43,
  browser: 43,
  trusted: 43,
  csrftoken: 43,
  loginstep: 43,
  sso_phone: 22,
  sso_confirmed: 43,
  [SSO_STATE_COOKIE]: 22,
  [appCookieNames.http]: 43,
} as const;
export type ConsoleCookie = keyof typeof consoleCookies;
