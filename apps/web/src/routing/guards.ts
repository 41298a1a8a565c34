import { paths, withQuery } from './paths.ts';

/** What a route does with a client (specification §2). `search` starts with '?' or is empty. */
export type Decision = { type: 'show' } | { type: 'go'; to: string } | { type: 'open'; url: string };

type Visit = { isLoggedIn: boolean; pathname: string; search: string };

function queryValue(search: string, name: string): string | undefined {
  return new URLSearchParams(search).get(name) || undefined;
}

export function decideLogin(visit: Visit): Decision {
  if (!visit.isLoggedIn) return { type: 'show' };
  const url = queryValue(visit.search, 'url');
  if (url !== undefined) return { type: 'open', url };
  const invalidDomain = queryValue(visit.search, 'invalidDomain');
  if (invalidDomain !== undefined) return { type: 'go', to: withQuery(paths.errorport, { invalidDomain }) };
  return { type: 'go', to: paths.home };
}

/** Keeps the query and adds the requested screen as `url`, which the login screen opens afterwards. */
function loginFor({ pathname, search }: Visit): Decision {
  const query = new URLSearchParams(search);
  const isDefault = pathname === paths.home || (pathname === paths.devices && search === '');
  if (isDefault || query.has('url') || query.has('invalidDomain')) return { type: 'go', to: `${paths.login}${search}` };
  query.set('url', `#${pathname}${search}`);
  return { type: 'go', to: `${paths.login}?${query}` };
}

export function decideHome(visit: Visit): Decision {
  if (!visit.isLoggedIn) return loginFor(visit);
  const invalidDomain = queryValue(visit.search, 'invalidDomain');
  if (invalidDomain !== undefined) return { type: 'go', to: withQuery(paths.errorport, { invalidDomain }) };
  if (visit.pathname === paths.home) return { type: 'go', to: paths.devices };
  return { type: 'show' };
}

export function decideErrorport(visit: Visit): Decision {
  return visit.isLoggedIn ? { type: 'show' } : { type: 'go', to: `${paths.login}${visit.search}` };
}

/** The console's screen that `url` names, or undefined when it leads elsewhere, including to the server's calls. */
export function ownPageUrl(url: string, pageUrl: string): string | undefined {
  if (!URL.canParse(url, pageUrl)) return undefined;
  const target = new URL(url, pageUrl);
  const page = new URL(pageUrl);
  return target.origin === page.origin && target.pathname === page.pathname ? target.href : undefined;
}

/**
 * Whether a browser may be redirected there without a question. Any other host's web address is allowed; on the
 * console's own host only the console itself, because some of its calls act when they are opened.
 */
export function isOpenable(url: string, pageUrl: string): boolean {
  if (!isWebUrl(url)) return false;
  const [target, page] = [new URL(url), new URL(pageUrl)];
  return target.hostname !== page.hostname || target.pathname === page.pathname;
}

/** True for http and https; a browser must not be redirected to `javascript:` and the like. */
export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
