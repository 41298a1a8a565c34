import type { Mapping } from '@tongtu/contract';
import { isLoopbackHost } from '../../address/public-address.ts';
import { shownUrl, shownHost } from '../../address/shown-host.ts';

/** The name of a mapping that no other mapping on the screen has: all ports of a server share one domain. */
export function mappingName({ domain, port, url }: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return port === null ? domain : url;
}

/** The name as it is shown, without punycode. */
export function shownName(mapping: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return mapping.port === null ? shownHost(mapping.domain) : shownUrl(mapping.url);
}

/**
 * The host of a server's public ports. Without a domain it is the host that the console was opened with: `localhost`
 * would lead a visitor to their own machine.
 */
export function portHost(suffix: string, consoleHost = window.location.hostname): string {
  return isLoopbackHost(suffix) ? consoleHost : suffix;
}

/** The address to give to visitors. */
export function visitorUrl({ port, domain, url }: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return (port === null ? url : url.replace(domain, portHost(domain))).replace(/\/$/, '');
}

/** Whether visitors cannot send a cookie here, so that they are known by their address alone. */
export function isVerifiedByAddress({ port, tls_passthrough }: Pick<Mapping, 'port' | 'tls_passthrough'>): boolean {
  return port !== null || tls_passthrough;
}

/** Whether some visitors are let in, but not all. */
export function isGated({ policy }: Pick<Mapping, 'policy'>): boolean {
  return policy === 'owner' || policy === 'password';
}
