import type { RequestHead } from '../codecs/http/request-head.ts';
import { isSameOwner, type RouteEntry } from '../routes/route-entry.ts';
import type { RouteTable } from '../routes/route-table.ts';
import { defaultPort, type PageOrigin, pageOriginOf, portOf } from './page-origin.ts';

export type OwnersPagesDeps = {
  routes: Pick<RouteTable, 'findRoute' | 'hostsOfOwner' | 'consoleUrl'>;
  /** The ports at which this relay answers for names. */
  webPorts: () => readonly number[];
};

/** What a visitor asked for, and by what. */
type Asked = { request: Pick<RequestHead, 'host' | 'hostField'>; scheme: 'http' | 'https' };

/** More would not fit into a head; pages of other mappings have to send a Referer. */
const MAX_NAMED = 200;

/** Whether a page is the console's, the mapping's own, or of another mapping of the same owner. */
export function isOwnersPage(deps: OwnersPagesDeps, entry: RouteEntry, asked: Asked, page: PageOrigin): boolean {
  if (!isAtWebPort(deps, asked, page)) return false;
  return page.host === pageOriginOf(deps.routes.consoleUrl)?.host || isAtOwnersHost(deps, entry, asked, page);
}

/** Whether a page is the mapping's own, or of another mapping of the same owner; not the console's. */
export function isOwnersMapping(deps: OwnersPagesDeps, entry: RouteEntry, asked: Asked, page: PageOrigin): boolean {
  return isAtWebPort(deps, asked, page) && isAtOwnersHost(deps, entry, asked, page);
}

function isAtWebPort({ routes, webPorts }: OwnersPagesDeps, { request, scheme }: Asked, page: PageOrigin): boolean {
  // The same host has other ports that may belong to other tenants, such as public ports of TCP mappings.
  const asked = portOf(request.hostField, scheme);
  const consolePort = pageOriginOf(routes.consoleUrl)?.port;
  return [asked, consolePort, defaultPort('http'), defaultPort('https'), ...webPorts()].includes(page.port);
}

function isAtOwnersHost(
  { routes }: OwnersPagesDeps,
  { owner }: RouteEntry,
  { request }: Asked,
  page: PageOrigin,
): boolean {
  if (page.host === request.host) return true;
  const other = routes.findRoute(page.host)?.owner;
  return other !== undefined && isSameOwner(other.device, owner.device);
}

/** The origins of such pages for `frame-ancestors`, with the visitor's scheme and port. */
export function ownersOrigins(
  { routes }: Pick<OwnersPagesDeps, 'routes'>,
  { owner }: RouteEntry,
  { request, scheme }: Asked,
): string[] {
  const port = portOf(request.hostField, scheme);
  const hosts = routes.hostsOfOwner(owner.device).slice(0, MAX_NAMED);
  return [new URL(routes.consoleUrl).origin, ...hosts.map((host) => `${scheme}://${host}:${port}`)];
}
