import type { Mapping } from '@tongtu/contract';

/** A name that no other mapping on the screen has: all ports of a server share its one domain. */
export function mappingName({ domain, port, url }: Pick<Mapping, 'domain' | 'port' | 'url'>): string {
  return port === null ? domain : url;
}

/** No browser of a visitor can show a cookie here: they are known by their address alone. */
export function isVerifiedByAddress({ port, tls_passthrough }: Pick<Mapping, 'port' | 'tls_passthrough'>): boolean {
  return port !== null || tls_passthrough;
}

/** Somebody may come in, but not everybody. */
export function isGated({ policy }: Pick<Mapping, 'policy'>): boolean {
  return policy === 'owner' || policy === 'password';
}
