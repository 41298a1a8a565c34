type HeaderValue = string | readonly string[] | undefined;

/**
 * Whether a browser fetches this before anybody goes there (`Sec-Purpose`, and its predecessor `Purpose`): any page can have
 * it do so unseen, with the cookies of a visit. Header names are asked for in lower case.
 */
export function isPrefetch(headerOf: (name: string) => HeaderValue): boolean {
  return headerOf('sec-purpose') !== undefined || headerOf('purpose') === 'prefetch';
}
