import { isIP } from 'node:net';
import { parseHostField } from '@tongtu/base';

/** A cookie that a browser has sent. */
export type SentCookie = { name: string; bytes: number };
/** What is known of a request whose cookies are too long. */
export type CookieHead = { hostField: string; target: string; cookies: readonly SentCookie[] };

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Half of what a head may have. */
const KEPT_BYTES = 16 * 1024;
/** Of all lines of one answer: browsers and proxies have limits, too. The rest follows at the next request. */
const MAX_LINES_BYTES = 48 * 1024;
const MAX_PATHS = 16;

/** Reads one pair of a Cookie field. Undefined: no name that Set-Cookie could repeat. */
export function readCookie(pair: string): SentCookie | undefined {
  const at = pair.indexOf('=');
  const name = (at === -1 ? '' : pair.slice(0, at)).trim();
  return NAME.test(name) ? { name, bytes: pair.length } : undefined;
}

/**
 * The values of Set-Cookie that make a browser forget the longest cookies, until the rest fits into a head. A request does
 * not say for which domain and path a cookie was set, so every one is named that reaches this address. Cookies with the
 * prefixes `__Host-` and `__Secure-` stay: no page of another host can plant the first, and they are short.
 */
export function expiringCookies({ hostField, target, cookies }: CookieHead): string[] {
  const places = pathsOf(target).flatMap((path) =>
    domainsOf(hostField).map((domain) => `Path=${path}${domain === undefined ? '' : `; Domain=${domain}`}`),
  );
  const lines: string[] = [];
  let [left, room] = [cookies.reduce((sum, { bytes }) => sum + bytes, 0), MAX_LINES_BYTES];
  for (const { name, bytes } of cookies.toSorted((a, b) => b.bytes - a.bytes)) {
    const own = name.startsWith('__') ? [] : places.map((place) => `${name}=; ${place}; Max-Age=0`);
    room -= own.reduce((sum, line) => sum + line.length, 0);
    if (left <= KEPT_BYTES || room < 0) break;
    if (own.length > 0) left -= bytes;
    lines.push(...own);
  }
  return lines;
}

/** Undefined: the host alone, without a Domain. A domain of one label belongs to everybody, so browsers refuse it. */
function domainsOf(hostField: string): Array<string | undefined> {
  const host = parseHostField(hostField)?.host ?? '';
  if (host === '' || isIP(host) !== 0) return [undefined];
  const labels = host.split('.');
  return [undefined, ...labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'))];
}

/** `/`, and each folder of the path with and without the slash at its end. */
function pathsOf(target: string): string[] {
  const paths = ['/'];
  const path = /^[^?;\s]*/.exec(target)?.[0] ?? '';
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) {
    paths.push(path.slice(0, at), path.slice(0, at + 1));
  }
  if (path.length > 1 && !path.endsWith('/')) paths.push(path);
  return paths.slice(0, MAX_PATHS);
}
