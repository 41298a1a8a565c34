import type { IncomingMessage } from 'node:http';
import { isSameOrigin } from '@tongtu/base';
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
 * as the same site as the console. The relay, from which all requests come, writes the scheme.
 */
export function isFromConsole({ method = '', headers }: IncomingMessage, isUpgrade: boolean): boolean {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const { host: hostField = '' } = headers;
  return isSameOrigin({ method, scheme, hostField, isUpgrade, headerOf: (name) => headers[name] });
}
