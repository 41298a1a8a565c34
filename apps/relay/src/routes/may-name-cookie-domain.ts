import type { RouteEntry } from './route-entry.ts';

/**
 * Whether the cookies of a mapping may name this domain: it is the mapping's host or a parent, and it is or is below a
 * custom domain that leads to the same device. Never where it would reach the console's cookies.
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
