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

export function decideHome(visit: Visit): Decision {
  if (!visit.isLoggedIn) return { type: 'go', to: `${paths.login}${visit.search}` };
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

/** True for addresses a browser can be sent to; `javascript:` and its like are not. */
export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
