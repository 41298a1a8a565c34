import type { RouteEntry } from './route-entry.ts';

/**
 * Whether the cookies of a mapping may name this domain: it holds the mapping's host, and lies at or below a domain of
 * the user's that leads to the same device. Never where the console's cookies would be in reach.
 */
export function mayNameCookieDomain({ route, owner }: RouteEntry, domain: string, consoleHost: string): boolean {
  return (
    route.isOwnDomain &&
    isWithin(route.host, domain) &&
    !isWithin(consoleHost, domain) &&
    owner.device.routes.some((own) => own.isOwnDomain && isWithin(domain, own.host))
  );
}

function isWithin(host: string, domain: string): boolean {
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}
