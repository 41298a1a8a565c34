import type { Mapping } from '@tongtu/contract';
import { isLoopbackHost } from '../../public-address.ts';
import { shownUrl, shownHost } from '../../shown-host.ts';

/** A name that no other mapping on the screen has: all ports of a server share its one domain. */
export function mappingName({ domain, port, url }: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return port === null ? domain : url;
}

/** The same, as people read it. */
export function shownName(mapping: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return mapping.port === null ? shownHost(mapping.domain) : shownUrl(mapping.url);
}

/**
 * Where the ports of a server are reached. Without a domain it is whatever host the console was opened with: `localhost`
 * would lead a visitor to their own machine.
 */
export function portHost(suffix: string, consoleHost = window.location.hostname): string {
  return isLoopbackHost(suffix) ? consoleHost : suffix;
}

/** The address to give to visitors. */
export function visitorUrl({ port, domain, url }: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return (port === null ? url : url.replace(domain, portHost(domain))).replace(/\/$/, '');
}

/** No browser of a visitor can show a cookie here: they are known by their address alone. */
export function isVerifiedByAddress({ port, tls_passthrough }: Pick<Mapping, 'port' | 'tls_passthrough'>): boolean {
  return port !== null || tls_passthrough;
}

/** Somebody may come in, but not everybody. */
export function isGated({ policy }: Pick<Mapping, 'policy'>): boolean {
  return policy === 'owner' || policy === 'password';
}
