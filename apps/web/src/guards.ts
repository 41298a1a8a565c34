import { paths, withQuery } from './paths.ts';

/** What a route does with a visitor (specification §2). `search` starts with '?' or is empty. */
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

/** The query is kept; a screen that was asked for is added to it as the url that the login page opens afterwards. */
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

/** The page of this console that `url` names; undefined when it leads anywhere else, calls of the server included. */
export function ownPageUrl(url: string, pageUrl: string): string | undefined {
  if (!URL.canParse(url, pageUrl)) return undefined;
  const target = new URL(url, pageUrl);
  const page = new URL(pageUrl);
  return target.origin === page.origin && target.pathname === page.pathname ? target.href : undefined;
}

/**
 * Whether a browser may be sent there without asking anybody: to a web address, but of the console's own host to its
 * page alone. Its other paths are calls, some of which do something by being opened.
 */
export function isOpenable(url: string, pageUrl: string): boolean {
  if (!isWebUrl(url)) return false;
  const [target, page] = [new URL(url), new URL(pageUrl)];
  return target.hostname !== page.hostname || target.pathname === page.pathname;
}

/** True for addresses a browser can be sent to; `javascript:` and its like are not. */
export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
