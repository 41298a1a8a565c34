/** The name visitors type, without port. */
export function mappingDomain(mapping: { prefix: string | null; customDomain: string | null; suffix: string }): string {
  return mapping.customDomain ?? (mapping.prefix === null ? mapping.suffix : `${mapping.prefix}.${mapping.suffix}`);
}

/** The address visitors type: the console's scheme and port, the mapping's name. */
export function mappingUrl(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.origin;
}
