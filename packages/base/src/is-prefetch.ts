type HeaderValue = string | readonly string[] | undefined;

/**
 * Whether a browser requests this speculatively (`Sec-Purpose`, or the older `Purpose`). Any page can cause such a
 * request unseen, with the visitor's cookies. `header` is called with lower-case names.
 */
export function isPrefetch(headerOf: (name: string) => HeaderValue): boolean {
  return headerOf('sec-purpose') !== undefined || headerOf('purpose') === 'prefetch';
}
