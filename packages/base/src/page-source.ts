import { isPrefetch } from './is-prefetch.ts';

/** What a request says about the page that made a browser send it. */
export type BrowserRequest = {
  method: string;
  /** By which the request came, as far as it is known: a proxy that is not trusted may hide that it was https. */
  scheme: 'http' | 'https';
  /** The Host field, with its port. */
  hostField: string;
  /** Whether it asks for a WebSocket. */
  isUpgrade: boolean;
  /** Called with lower-case names. */
  headerOf: (name: string) => string | readonly string[] | undefined;
};

/** `unknown`: a program, an old browser, or a page over http that hides itself. */
export type PageSource = 'own' | 'other' | 'unknown';

/** An Origin as browsers write it: without path and user. Several in one field are none. */
const ORIGIN = /^https?:\/\/[^\s/?#\\@,]+$/i;

/**
 * Who made a browser send a request: a page of the very origin that is asked (scheme, host and port), or another. Sibling
 * hosts are other origins: they are mappings. Browsers send `Sec-Fetch-Site` only to https and localhost. Without it Origin
 * decides, then Referer. For a WebSocket every browser sends the Origin, so one without it is no browser's.
 */
export function pageSourceOf(request: BrowserRequest): PageSource {
  const { headerOf, isUpgrade } = request;
  const [site, origin, referer] = [headerOf('sec-fetch-site'), headerOf('origin'), headerOf('referer')];
  if (origin === undefined && isUpgrade) return 'other';
  if (origin !== undefined && !isOwnOrigin(origin, request)) return 'other';
  // `none`: from the address bar or a bookmark. Chromium also sends it for prefetches that a page requests.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isVisit(request)) ? 'own' : 'other';
  if (origin !== undefined) return 'own';
  if (referer !== undefined) return isOwnAddress(referer, request) ? 'own' : 'other';
  return isPrefetch(headerOf) ? 'other' : 'unknown';
}

/** Whether a page of the same origin made the request, or nobody says so and it only reads. */
export function isSameOrigin(request: BrowserRequest): boolean {
  const source = pageSourceOf(request);
  return source === 'own' || (source === 'unknown' && isRead(request));
}

function isOwnOrigin(origin: string | readonly string[], request: BrowserRequest): boolean {
  return typeof origin === 'string' && ORIGIN.test(origin) && isOwnAddress(origin, request);
}

function isOwnAddress(address: string | readonly string[], { scheme, hostField, headerOf }: BrowserRequest): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { origin } = new URL(address);
  if (origin === originOf(scheme, hostField)) return true;
  // A proxy that ends TLS and is not named in TRUSTED_PROXIES hides the scheme. The browser has compared it.
  const isBrowserSure = headerOf('sec-fetch-site') === 'same-origin';
  return isBrowserSure && scheme === 'http' && origin === originOf('https', hostField);
}

function originOf(scheme: string, hostField: string): string | undefined {
  const url = `${scheme}://${hostField}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Whether a person opened it, as far as the browser says. */
function isVisit(request: BrowserRequest): boolean {
  return isRead(request) && !isPrefetch(request.headerOf);
}

function isRead({ method, isUpgrade }: BrowserRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !isUpgrade;
}
