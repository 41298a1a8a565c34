import type { CookieSerializeOptions } from '@fastify/cookie';
import type { ConsoleCookie } from '@tongtu/contract';
import type { CallRequest, HttpCall } from '../session.ts';

/** A cookie of the console: its name over http, and the format of the values that the server sets. */
export type OwnCookie = { name: ConsoleCookie; form: RegExp };
type CookieChoices = Pick<CookieSerializeOptions, 'httpOnly' | 'sameSite' | 'maxAge'>;

const COOKIE_DAYS = 30;
const HOST_PREFIX = '__Host-';
/** A browser has one cookie of each name. Others come from another tenant's page, which can set one for each path and domain. */
const MAX_VALUES = 16;

/**
 * Over https every name has the prefix `__Host-`: browsers accept such a cookie for one host only. Without it, pages of
 * mappings could set cookies for the console's host, too. Different names over http and https also matter because a
 * Secure cookie would prevent setting one of the same name over http.
 */
function cookieName(req: CallRequest, name: string): string {
  return req.protocol === 'https' ? hostCookieName(name) : name;
}

export function hostCookieName(name: string): string {
  return `${HOST_PREFIX}${name}`;
}

/**
 * The values of this name that the server may have set. Over http another tenant's page may have added more. Browsers
 * send cookies with longer paths first, and the server's have the path `/`, so the last value is returned first.
 */
export function readCookies(req: CallRequest, { name, form }: OwnCookie): string[] {
  return readNamed(req, { name: cookieName(req, name), form });
}

/** Like `readCookies`, by the complete name. */
export function readNamed(req: CallRequest, { name, form }: { name: string; form: RegExp }): string[] {
  const values: string[] = [];
  for (const pair of (req.headers.cookie ?? '').split(';').toReversed()) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    if (form.test(value)) values.push(value);
    if (values.length === MAX_VALUES) break;
  }
  return values;
}

/** Sets a cookie for the console's host, by default HttpOnly, and Secure over https. */
export function setCookie(
  { req, reply }: HttpCall,
  name: ConsoleCookie,
  value: string,
  choices: CookieChoices = {},
): void {
  const maxAge = COOKIE_DAYS * 24 * 3600;
  reply.setCookie(cookieName(req, name), value, { ...options(req.protocol === 'https'), maxAge, ...choices });
}

export function clearCookie({ req, reply }: HttpCall, name: string, choices: CookieChoices = {}): void {
  reply.clearCookie(cookieName(req, name), { ...options(req.protocol === 'https'), ...choices });
}

/** Clears a cookie that was set over https although this request is http: an unknown proxy terminates TLS. */
export function clearHostCookie({ reply }: HttpCall, name: string, choices: CookieChoices = {}): void {
  reply.clearCookie(hostCookieName(name), { ...options(true), ...choices });
}

function options(secure: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure };
}
