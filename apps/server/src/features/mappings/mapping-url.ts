/** The address visitors type: the console's scheme and port, the mapping's name. */
export function mappingUrl(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.origin;
}
