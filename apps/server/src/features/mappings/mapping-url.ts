import type { MappingRow } from './mapping-store.ts';

/** Where visitors reach this installation. */
export type PublicPlace = {
  /** The console's address: mappings keep its scheme and port. */
  publicUrl: string;
  /** Where https is served; used when `publicUrl` is not https. */
  tlsPort: number;
};

type NamedMapping = Pick<MappingRow, 'kind' | 'prefix' | 'customDomain' | 'port' | 'suffix' | 'tlsPassthrough'>;

/** The name visitors type, without port. */
export function mappingDomain(mapping: Pick<NamedMapping, 'prefix' | 'customDomain' | 'suffix'>): string {
  return mapping.customDomain ?? (mapping.prefix === null ? mapping.suffix : `${mapping.prefix}.${mapping.suffix}`);
}

/** The whole address visitors type. */
export function mappingUrl(place: PublicPlace, mapping: NamedMapping): string {
  const domain = mappingDomain(mapping);
  if (mapping.port !== null) return `${mapping.kind}://${domain}:${mapping.port}`;
  const url = new URL(place.publicUrl);
  url.hostname = domain;
  if (url.protocol === 'https:' || !mapping.tlsPassthrough) return url.origin;
  // Without TLS nobody could tell which device this is for.
  return new URL(`https://${domain}:${place.tlsPort}`).origin;
}
