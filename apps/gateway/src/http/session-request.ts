import type { IncomingMessage } from 'node:http';
import { type AppCookie, readAppCookies } from '@tongtu/contract';

const PATH = /^\/apps\/([\w-]{22})\/([^?#]*)/;

/** What a request says about its session. `path`: what follows `/apps/{handle}/`, without the query. */
export type SessionRequest = { path: string; cookies: readonly AppCookie[] };

/** Undefined for a request that cannot belong to a session: no such path, or no cookie of one. */
export function readSessionRequest({ url = '', headers }: IncomingMessage): SessionRequest | undefined {
  const [, handle, path] = PATH.exec(url) ?? [];
  if (handle === undefined || path === undefined) return undefined;
  const cookies = readAppCookies(headers.cookie ?? '', handle);
  return cookies.length === 0 ? undefined : { path, cookies };
}

/**
 * Whether the console's own pages sent the request. The cookie is SameSite=Strict, but addresses below the suffix count
 * as the same site as the console. A GET without both fields comes from a program, or from an address that was typed.
 */
export function isFromConsole({ method, headers }: IncomingMessage, isUpgrade: boolean): boolean {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const isRead = (method === 'GET' || method === 'HEAD') && !isUpgrade;
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === host;
  if (!isRead) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}
