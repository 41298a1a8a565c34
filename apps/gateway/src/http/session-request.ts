import type { IncomingMessage } from 'node:http';

const PATH = /^\/apps\/(\d{1,10})\/([^?#]*)/;
const COOKIE = /(?:^|;\s*)app_session=([A-Za-z0-9_-]{43})(?:;|$)/;

/** What a request says about its session. `path`: what follows `/apps/{id}/`, without the query. */
export type SessionRequest = { sessionId: number; path: string; token: string };

/** Undefined for a request that cannot belong to a session: no such path, or no cookie of one. */
export function readSessionRequest({ url = '', headers }: IncomingMessage): SessionRequest | undefined {
  const [, id, path] = PATH.exec(url) ?? [];
  const [, token] = COOKIE.exec(headers.cookie ?? '') ?? [];
  if (id === undefined || path === undefined || token === undefined) return undefined;
  return { sessionId: Number(id), path, token };
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
