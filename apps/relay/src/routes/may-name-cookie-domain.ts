import { isWildcard, wildcardParent } from '@tongtu/contract';
import type { RouteEntry } from './route-entry.ts';

/**
 * Whether the cookies of a mapping may name this domain, for a visitor of `host`: it is that name or a parent, and it is or
 * is below a custom domain that leads to the same device. Never where it would reach the console's cookies.
 */
export function mayNameCookieDomain(
  { route, owner }: RouteEntry,
  domain: string,
  { host, consoleHost }: { host: string; consoleHost: string },
): boolean {
  return (
    route.isOwnDomain &&
    isWithin(host, domain) &&
    !isWithin(consoleHost, domain) &&
    owner.device.routes.some((own) => own.isOwnDomain && leadsTo(own.host, domain))
  );
}

/** Whether a domain is or is below one of the names of a route. */
function leadsTo(ownHost: string, domain: string): boolean {
  if (!isWildcard(ownHost)) return isWithin(domain, ownHost);
  const parent = wildcardParent(ownHost);
  return domain !== parent && isWithin(domain, parent);
}

function isWithin(host: string, domain: string): boolean {
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}
