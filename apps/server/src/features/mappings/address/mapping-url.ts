import type { MappingRow } from '../mapping-store.ts';

/** URL and port at which visitors reach this installation. */
export type PublicPlace = {
  /** URL of the console. Mappings have the same scheme and port. */
  publicUrl: string;
  /** Port of https, used if `publicUrl` is http. */
  tlsPort: number;
};

type NamedMapping = Pick<MappingRow, 'kind' | 'prefix' | 'customDomain' | 'port' | 'suffix' | 'tlsPassthrough'>;

/** The public name, without port. */
export function mappingDomain(mapping: Pick<NamedMapping, 'prefix' | 'customDomain' | 'suffix'>): string {
  return mapping.customDomain ?? (mapping.prefix === null ? mapping.suffix : `${mapping.prefix}.${mapping.suffix}`);
}

/** The complete public address. */
export function mappingUrl(place: PublicPlace, mapping: NamedMapping): string {
  const domain = mappingDomain(mapping);
  if (mapping.port !== null) return `${mapping.kind}://${domain}:${mapping.port}`;
  const { protocol, port } = new URL(place.publicUrl);
  if (protocol === 'https:' || !mapping.tlsPassthrough) return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
  // TLS passthrough is routed by SNI, so it needs https.
  return new URL(`https://${domain}:${place.tlsPort}`).origin;
}
