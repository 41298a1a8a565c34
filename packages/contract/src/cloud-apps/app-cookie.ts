/**
 * The cookie of a session, for the paths below `/apps/{handle}/`. The handle is random, so that another tenant's page,
 * which can set cookies for the console's host, can neither set one for this path nor one that is taken for it.
 */
export type AppCookie = { handle: string; sessionId: number; token: string };

/** Over https browsers accept the name from a secure page alone. `__Host-` is for the path `/` only. */
export const appCookieNames = { https: '__Secure-app_session', http: 'app_session' } as const;

export const APP_HANDLE_BYTES = 16;

const VALUE = /^([\w-]{22})\.(\d{1,10})\.([\w-]{43})$/;
/** A browser has one of each name. Others come from another tenant's page, which can set one for each path and domain. */
const MAX_COOKIES = 16;

export function appPath(handle: string): string {
  return `/apps/${handle}/`;
}

export function appCookieValue({ handle, sessionId, token }: AppCookie): string {
  return `${handle}.${sessionId}.${token}`;
}

/** All cookies of this handle in a request's header, those over https first. */
export function readAppCookies(header: string, handle: string): AppCookie[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return [appCookieNames.https, appCookieNames.http]
    .flatMap((name) => pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)))
    .flatMap((value) => readValue(value) ?? [])
    .filter((cookie) => cookie.handle === handle)
    .slice(0, MAX_COOKIES);
}

function readValue(value: string): AppCookie | undefined {
  const [, handle, sessionId, token] = VALUE.exec(value) ?? [];
  if (handle === undefined || sessionId === undefined || token === undefined) return undefined;
  return { handle, sessionId: Number(sessionId), token };
}
