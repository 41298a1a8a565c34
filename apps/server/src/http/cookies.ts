import type { CookieSerializeOptions } from '@fastify/cookie';
import type { CallRequest, HttpCall } from './session.ts';

/** A cookie of the console: the name it has over plain http, and what the values that we hand out look like. */
export type OwnCookie = { name: string; form: RegExp };
type CookieChoices = Pick<CookieSerializeOptions, 'httpOnly' | 'sameSite' | 'maxAge'>;

const COOKIE_DAYS = 30;
const HOST_PREFIX = '__Host-';
/** A browser has one of each name; more are a neighbour's, one for each path and domain that it could name. */
const MAX_VALUES = 16;

/**
 * Over https every name has the prefix `__Host-`: browsers take such a cookie only for one host. The hosts of mappings lie
 * beside the console's, and their pages may set cookies for both. Two names also keep a Secure cookie from standing in
 * the way of the one that is set over http.
 */
function cookieName(req: CallRequest, name: string): string {
  return req.protocol === 'https' ? hostCookieName(name) : name;
}

export function hostCookieName(name: string): string {
  return `${HOST_PREFIX}${name}`;
}

/**
 * What the browser shows under this name that may be ours; over http a neighbour may have put more beside it. Ours
 * belongs to the path `/` and so comes behind those of longer paths, which is why the last is the first here.
 */
export function readCookies(req: CallRequest, { name, form }: OwnCookie): string[] {
  return readNamed(req, { name: cookieName(req, name), form });
}

/** As `readCookies`, by a name that is given as a whole. */
export function readNamed(req: CallRequest, { name, form }: OwnCookie): string[] {
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

/** Only for the console's own host, unseen by scripts unless told otherwise; over https never sent by plain http. */
export function setCookie({ req, reply }: HttpCall, name: string, value: string, choices: CookieChoices = {}): void {
  const maxAge = COOKIE_DAYS * 24 * 3600;
  reply.setCookie(cookieName(req, name), value, { ...options(req.protocol === 'https'), maxAge, ...choices });
}

export function clearCookie({ req, reply }: HttpCall, name: string, choices: CookieChoices = {}): void {
  reply.clearCookie(cookieName(req, name), { ...options(req.protocol === 'https'), ...choices });
}

/** For one that a page has set over https though we see http: behind a proxy that ends TLS and is not known to us. */
export function clearHostCookie({ reply }: HttpCall, name: string, choices: CookieChoices = {}): void {
  reply.clearCookie(hostCookieName(name), { ...options(true), ...choices });
}

function options(secure: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure };
}
